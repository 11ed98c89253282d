import { isIP } from "node:net";
import { errorCode } from "./error-code.ts";
import type { NetRequest } from "./net-request.ts";

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
  { addresses, signal }: { readonly addresses: readonly string[]; readonly signal: AbortSignal },
): Promise<Response> {
  const { url } = request;
  const headers = new Headers(request.headers);
  headers.set("host", url.host);
  let failure: unknown = new TypeError(`Cannot connect to "${url.host}": it has no address`);
  for (const address of addresses) {
    const target = new URL(url);
    target.hostname = isIP(address) === 6 ? `[${address}]` : address;
    try {
      return await plainFetch({ ...request, headers, url: target }, signal, {
        tls: { serverName: url.hostname.replace(/\.$/, "") },
      });
    } catch (error) {
      if (!notConnected.has(errorCode(error) ?? "")) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Redirects are not followed: each hop is judged first. No proxy but one that `connection` names is asked. */
export function plainFetch(
  { url, method, headers, body }: NetRequest,
  signal: AbortSignal,
  connection: BunFetchRequestInit = {},
): Promise<Response> {
  return fetch(url, {
    proxy: false,
    ...connection,
    method,
    headers,
    redirect: "manual",
    signal,
    ...(body === undefined ? {} : { body }),
  });
}
