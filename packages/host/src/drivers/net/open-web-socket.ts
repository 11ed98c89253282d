import { OpenSocket, type Clock, type NetSocket, type NetSocketOptions } from "@incipit/kernel";
import { isIP } from "node:net";
import { errorCode, errorMessage } from "../../failures/error-code.ts";
import { endpointOf } from "./network-address.ts";
import { NoProxy, type Proxy } from "./proxies.ts";

export interface OpenWebSocketOptions extends NetSocketOptions {
  readonly clock: Clock;
  /** `undefined` for any address of the URL's host. */
  readonly addresses: readonly string[] | undefined;
  readonly proxy: Proxy | undefined;
}

/**
 * Sends the URL's name as `Host` and for the TLS certificate. Errors have the system's code and, of the URL, only the
 * host.
 */
export async function openWebSocket(
  url: URL,
  { addresses = [url.hostname], proxy, ...options }: OpenWebSocketOptions,
): Promise<NetSocket> {
  if (proxy !== undefined) assertNotPast(url, proxy);
  let failure: unknown = new Error("it has no address");
  for (const address of addresses) {
    const target = new URL(url);
    target.hostname = isIP(address) === 6 ? `[${address}]` : address;
    try {
      const socket = new WebSocket(target, {
        headers: { host: url.host },
        tls: { serverName: url.hostname.replace(/\.$/, "") },
        // `NO_PROXY` was applied before; for sockets, Bun reads no variable that names a proxy.
        ...(proxy === undefined ? {} : { proxy: proxy.url }),
      });
      return await OpenSocket.opened(socket, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      failure = error;
    }
  }
  const over = proxy === undefined ? "" : ` through the proxy ${proxy.shown} (${proxy.from})`;
  // The runtime's message contains the whole URL.
  const reason = errorMessage(failure).replace(/^.* failed: /, "");
  throw Object.assign(new TypeError(`Cannot open a socket to "${url.host}"${over}: ${reason}`), {
    code: errorCode(failure),
  });
}

/** For sockets, Bun always applies `NO_PROXY`: a connection meant for the proxy would bypass it. */
function assertNotPast(url: URL, proxy: Proxy): void {
  for (const name of ["NO_PROXY", "no_proxy"]) {
    if (!new NoProxy([process.env[name] ?? ""]).matches(endpointOf(url))) continue;
    const message = `Cannot open a socket to "${url.host}": the proxy ${proxy.shown} (${proxy.from}) applies to it, but Bun's sockets follow ${name}, which excludes the host; remove the host from ${name}`;
    throw new TypeError(message);
  }
}
