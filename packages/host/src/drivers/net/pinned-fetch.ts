import { isIP } from "node:net";
import { errorCode } from "../../failures/error-code.ts";
import type { NetRequest } from "./net-request.ts";

export interface Connection {
  readonly serverName?: string;
}

export type Send = (request: NetRequest, signal: AbortSignal, connection?: Connection) => Promise<Response>;

/** No byte of the request was sent. */
const notConnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
]);

/**
 * The URL's name may resolve to other addresses by then. Bun verifies the certificate against `tls.serverName` and
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
