import { isIP } from "node:net";
import { errorCode } from "../../failures/error-code.ts";
import type { NetRequest } from "./net-request.ts";

/** How a connection is made, beside what the URL says. */
export interface Connection {
  /** The name that is asked for, and that the certificate has to have; absent: that of the URL. */
  readonly serverName?: string;
}

/** Sends a request, and gives its answer once its head is there. */
export type Send = (request: NetRequest, signal: AbortSignal, connection?: Connection) => Promise<Response>;

/** The connection did not come about: nothing of the request has left. */
const notConnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
]);

/**
 * Fetches over a connection to one of these addresses, and no other, whatever the URL's name leads to by then. The name
 * is sent as `Host`, and over TLS it is the name that is asked for and that the certificate has to have: Bun verifies
 * against `tls.serverName`, and keeps connections apart by it.
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
