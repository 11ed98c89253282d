import type { Clock, Listen, ListenOptions } from "@incipit/kernel";
import { errorCode } from "./error-code.ts";

const pollMs = 5;

/** HTTP listeners, as the host's own part sees them. */
export interface ListenDriver extends Listen {
  /** Requests that are being answered now, open streams among them. */
  readonly pendingRequests: number;
}

/** @throws when the port cannot be had; the message says what to do. */
export function createListen(clock: Clock): ListenDriver {
  const servers = new Set<Bun.Server<undefined>>();
  return {
    get pendingRequests() {
      return [...servers].reduce((sum, server) => sum + server.pendingRequests, 0);
    },
    async http(options) {
      const server = open(options);
      servers.add(server);
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
          servers.delete(server);
        },
      };
    },
  };
}

function open(options: ListenOptions): Bun.Server<undefined> {
  const { host, port } = options;
  try {
    return Bun.serve({
      // One address: of the two that "localhost" has, Bun takes the second without a word when the first is in use.
      hostname: host === "localhost" ? "127.0.0.1" : host,
      port,
      reusePort: false, // With `development: false` Bun would share a port that another host has.
      idleTimeout: options.idleTimeoutSeconds,
      maxRequestBodySize: options.maxBodyBytes,
      development: false,
      fetch: options.fetch,
    });
  } catch (cause) {
    switch (errorCode(cause)) {
      case "EADDRINUSE":
        throw new Error(
          `Port ${port} of ${host} is in use; end what uses it, or take another one (--port N, 0 for any free one)`,
          { cause },
        );
      case "EACCES":
        throw new Error(`Port ${port} of ${host} is not yours to use; take one above 1023 (--port N)`, { cause });
      case "EADDRNOTAVAIL":
        throw new Error(
          `"${host}" is no address of this machine; set listen.host to one that is, such as "127.0.0.1" (--host H)`,
          { cause },
        );
      default:
        throw cause;
    }
  }
}
