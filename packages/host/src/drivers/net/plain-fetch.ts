import type { NetBody, NetRequest } from "./net-request.ts";
import { isIP } from "node:net";
import { errorCode, errorMessage } from "../../failures/error-code.ts";
import type { Proxy } from "./proxies.ts";

/** Fetches without following redirects, because each hop is checked first. */
export function plainFetch(
  { url, method, headers, body }: NetRequest,
  signal: AbortSignal,
  { serverName, proxy }: Connection & { readonly proxy?: string } = {},
): Promise<Response> {
  return fetch(url, {
    // `NO_PROXY` was applied before.
    proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false },
    method,
    headers,
    redirect: "manual",
    signal,
    ...(serverName === undefined ? {} : { tls: { serverName } }),
    ...(body === undefined ? {} : { body: headers.has("content-type") ? body : bytesOf(body) }),
  });
}

/** `fetch` would add a content type to a string; only the caller sets one. */
function bytesOf(body: NetBody): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

export interface Connection {
  readonly serverName?: string;
}

export type Send = (request: NetRequest, signal: AbortSignal, connection?: Connection) => Promise<Response>;

/** Error codes of requests of which no byte was sent. */
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

/** Fetches over a proxy. TLS uses a tunnel, so the proxy sees only the host. */
export async function proxiedFetch(
  request: NetRequest,
  { proxy, signal }: { readonly proxy: Proxy; readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await plainFetch(request, signal, { proxy: proxy.url });
  } catch (cause) {
    signal.throwIfAborted();
    const [reason = ""] = errorMessage(cause).split(/\.(?:\s|$)/);
    const message = `Cannot reach "${request.url.host}" through the proxy ${proxy.shown} (${proxy.from}): ${reason}`;
    throw Object.assign(new TypeError(message, { cause }), { code: errorCode(cause) });
  }
}

/**
 * Plain `fetch` honours the proxy variables even for 127.0.0.1, and the proxy would receive the token and all content.
 */
export function directFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, proxy: false });
}
