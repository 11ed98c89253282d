import type { Clock, Listen, Listener, ListenOptions } from "@incipit/kernel";
import { errorCode } from "../failures/error-code.ts";

const pollMs = 5;

export interface ListenDriver {
  of(extension: string): Listen;
  readonly pendingRequests: number;
}

/** The newest generation that requested the port serves it. */
interface OpenPort {
  readonly owner: string;
  readonly asked: { readonly host: string; readonly port: number };
  readonly server: Bun.Server<undefined>;
  readonly handlers: ListenOptions["fetch"][];
}

/**
 * Ports outlive the generations of the extension that opened them: the next one takes over new requests, the previous
 * one finishes its own, and no connection is refused or cut.
 */
export function createListen(clock: Clock): ListenDriver {
  const ports = new Set<OpenPort>();

  async function closePort(port: OpenPort, timeoutMs: number): Promise<void> {
    const { server } = port;
    void server.stop(false); // Its promise would also wait for incomplete requests.
    const deadlineMs = clock.now() + timeoutMs;
    while (server.pendingRequests > 0 && clock.now() < deadlineMs) {
      await Bun.sleep(pollMs);
    }
    await server.stop(true);
  }

  function listener(port: OpenPort, options: ListenOptions): Listener {
    const { fetch } = options;
    port.handlers.push(fetch);
    return {
      host: addressOf(options.host),
      port: port.server.port ?? options.port,
      async close(timeoutMs) {
        const index = port.handlers.indexOf(fetch);
        if (index === -1) return;
        if (port.handlers.length > 1) {
          port.handlers.splice(index, 1);
          return;
        }
        ports.delete(port); // It finishes requests in progress.
        await closePort(port, timeoutMs);
      },
    };
  }

  return {
    get pendingRequests() {
      return [...ports].reduce((sum, { server }) => sum + server.pendingRequests, 0);
    },
    of: (extension) => {
      const own = new Set<OpenPort>(); // A second "any free port" of the same generation opens another port.
      const listenOn = (port: OpenPort, options: ListenOptions): Listener => {
        own.add(port);
        return listener(port, options);
      };
      return {
        async http(options) {
          const { host, port: number } = options;
          for (const port of ports) {
            const isSame = port.owner === extension && port.asked.host === host && port.asked.port === number;
            if (isSame && !own.has(port)) return listenOn(port, options);
          }
          const handlers: ListenOptions["fetch"][] = [];
          const server = open(options, (request) => {
            const newest = handlers.at(-1);
            return newest === undefined ? new Response(null, { status: 503 }) : newest(request);
          });
          const port = { owner: extension, asked: { host, port: number }, server, handlers };
          ports.add(port);
          return listenOn(port, options);
        },
      };
    },
  };
}

/**
 * Resolves "localhost" to one address: if the first of its two is in use, Bun silently listens on the second, and
 * another process may listen on the address that clients use.
 */
function addressOf(host: string): string {
  return host.toLowerCase() === "localhost" ? "127.0.0.1" : host;
}

function open(options: ListenOptions, fetch: ListenOptions["fetch"]): Bun.Server<undefined> {
  const { host, port } = options;
  try {
    return Bun.serve({
      hostname: addressOf(host),
      port,
      reusePort: false, // With `development: false`, Bun would share a port with another host.
      idleTimeout: options.idleTimeoutSeconds,
      maxRequestBodySize: options.maxBodyBytes,
      development: false,
      fetch,
    });
  } catch (cause) {
    switch (errorCode(cause)) {
      case "EADDRINUSE":
        throw new Error(
          `Port ${port} of ${host} is in use; stop the program that uses it, or choose another port (--port N, 0 for any free one)`,
          { cause },
        );
      case "EACCES":
        throw new Error(`Port ${port} of ${host} needs root permissions; choose one above 1023 (--port N)`, {
          cause,
        });
      case "EADDRNOTAVAIL":
        throw new Error(
          `"${host}" is not an address of this machine; set listen.host to one that is, such as "127.0.0.1" (--host H)`,
          { cause },
        );
      default:
        throw cause;
    }
  }
}
