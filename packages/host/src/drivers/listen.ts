import type { Clock, Listen, Listener, ListenOptions } from "@incipit/kernel";
import { errorCode } from "../failures/error-code.ts";

const pollMs = 5;

/** HTTP listeners, as the host's own part sees them. */
export interface ListenDriver {
  /** What one generation of an extension listens with. */
  of(extension: string): Listen;
  /** Requests that are being answered now, open streams among them. */
  readonly pendingRequests: number;
}

/** A port that is open, and who answers: the newest of the generations that have asked for it. */
interface OpenPort {
  readonly owner: string;
  readonly asked: { readonly host: string; readonly port: number };
  readonly server: Bun.Server<undefined>;
  /** Oldest first. */
  readonly handlers: ListenOptions["fetch"][];
}

/**
 * Ports outlive the generations of the extension that opened them: when the next generation asks for the same address, it
 * answers from then on, and what the one before is answering goes on. No connection is refused or cut in between.
 */
export function createListen(clock: Clock): ListenDriver {
  const ports = new Set<OpenPort>();

  async function closePort(port: OpenPort, timeoutMs: number): Promise<void> {
    const { server } = port;
    void server.stop(false); // No new connections; it would also wait for a client that has sent half a request.
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
        ports.delete(port); // It answers what has begun, and nobody takes it over any more.
        await closePort(port, timeoutMs);
      },
    };
  }

  return {
    get pendingRequests() {
      return [...ports].reduce((sum, { server }) => sum + server.pendingRequests, 0);
    },
    of: (extension) => {
      const own = new Set<OpenPort>(); // A second "any free port" of one generation is another port.
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
 * One address: of the two that "localhost" has, Bun takes the second without a word when the first is in use. Clients are told
 * the address too: at the other one of the two somebody else may listen, and be asked first.
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
      reusePort: false, // With `development: false` Bun would share a port that another host has.
      idleTimeout: options.idleTimeoutSeconds,
      maxRequestBodySize: options.maxBodyBytes,
      development: false,
      fetch,
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
          `"${host}" is not an address of this machine; set listen.host to one that is, such as "127.0.0.1" (--host H)`,
          { cause },
        );
      default:
        throw cause;
    }
  }
}
