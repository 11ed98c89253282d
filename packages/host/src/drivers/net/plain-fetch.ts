import type { NetBody, NetRequest } from "./net-request.ts";
import type { Connection } from "./pinned-fetch.ts";

/** Each hop is checked first, so redirects are not followed. */
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
