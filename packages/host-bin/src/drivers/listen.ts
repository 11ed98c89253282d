import type { Clock, Listen } from "@incipit/kernel";

const pollMs = 5;

/** HTTP listeners. @throws when the port is taken; the message says what to do. */
export function createListen(clock: Clock): Listen {
  return {
    async http(options) {
      const server = open(options);
      return {
        host: options.host,
        port: server.port ?? options.port,
        async close(timeoutMs) {
          void server.stop(false); // No new connections; it would also wait for clients that only keep theirs open.
          const deadlineMs = clock.now() + timeoutMs;
          while (server.pendingRequests > 0 && clock.now() < deadlineMs) {
            await Bun.sleep(pollMs);
          }
          await server.stop(true);
        },
      };
    },
  };
}

function open(options: Parameters<Listen["http"]>[0]): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: options.host,
      port: options.port,
      idleTimeout: options.idleTimeoutSeconds,
      maxRequestBodySize: options.maxBodyBytes,
      development: false,
      fetch: options.fetch,
    });
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
    if (code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${options.port} of ${options.host} is in use; end what uses it, or take another one (--port N)`,
      { cause: error },
    );
  }
}
