import type { NetBody, NetRequest } from "./net-request.ts";
import type { Connection } from "./pinned-fetch.ts";

/** Redirects are not followed: each hop is judged first. No proxy but the one that is named is asked. */
export function plainFetch(
  { url, method, headers, body }: NetRequest,
  signal: AbortSignal,
  { serverName, proxy }: Connection & { readonly proxy?: string } = {},
): Promise<Response> {
  return fetch(url, {
    // Who is to be reached without a proxy was decided before.
    proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false },
    method,
    headers,
    redirect: "manual",
    signal,
    ...(serverName === undefined ? {} : { tls: { serverName } }),
    ...(body === undefined ? {} : { body: headers.has("content-type") ? body : bytesOf(body) }),
  });
}

/** `fetch` would say of a text that it is one; whoever asks says that, or nobody. */
function bytesOf(body: NetBody): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
