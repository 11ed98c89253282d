import { isIP } from "node:net";
import { errorCode } from "../../failures/error-code.ts";
import type { NetRequest } from "./net-request.ts";

export interface Connection {
  /** Name for SNI and the certificate; that of the URL if absent. */
  readonly serverName?: string;
}

/** Sends a request and resolves once the response headers arrived. */
export type Send = (request: NetRequest, signal: AbortSignal, connection?: Connection) => Promise<Response>;

/** Error codes of a failed connection: no byte of the request was sent. */
const notConnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
]);

/**
 * Fetches over a connection to one of these addresses only, even if the URL's name resolves to others by then. The
 * name is sent as `Host` and, over TLS, used for SNI and the certificate: Bun verifies against `tls.serverName` and
 * pools connections by it.
 */
export async function pinnedFetch(
  request: NetRequest,
  {
    addresses,
    signal,
    send,
  }: { readonly addresses: readonly string[]; readonly signal: AbortSignal; readonly send: Send },
): Promise<Response> {
  const { url } = request;
  const headers = new Headers(request.headers);
  headers.set("host", url.host);
  let failure: unknown = new TypeError(`Cannot connect to "${url.host}": it has no address`);
  for (const address of addresses) {
    const target = new URL(url);
    target.hostname = isIP(address) === 6 ? `[${address}]` : address;
    try {
      return await send({ ...request, headers, url: target }, signal, {
        serverName: url.hostname.replace(/\.$/, ""),
      });
    } catch (error) {
      if (!notConnected.has(errorCode(error) ?? "")) throw error;
      failure = error;
    }
  }
  throw failure;
}
