import { isCredentialHeader, type WireRequest } from "@incipit/kernel";
import type { BodyHashes } from "./body-hashes.ts";

export interface NetRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: NetBody | undefined;
}

/** Text is sent as UTF-8; bytes need not be text. */
export type NetBody = string | Uint8Array<ArrayBuffer>;

/** Replaces lone surrogates by U+FFFD, as encoding does. */
export function netBody(given: NetBody): NetBody {
  return typeof given === "string" ? given.toWellFormed() : given;
}

const credentialQuery = /^(.*[-_])?(api[-_]?key|key|token|secret|password|signature|sig|code|credential)$/i;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type", "content-length"];

const leftOut = "[redacted:credential]";

/** Without credentials. */
export function toRecord(
  { url, method, headers, body }: NetRequest,
  { at, hashes }: { readonly at: number; readonly hashes: BodyHashes },
): WireRequest {
  const shown = [...headers].map(([name, value]) => [name, isCredentialHeader(name) ? leftOut : value] as const);
  return {
    method,
    url: withoutCredentials(url),
    headers: Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    body: textOf(body ?? ""),
    sha256: hashes.of(body ?? ""),
    at,
  };
}

function withoutCredentials(url: URL): string {
  if (url.search === "" && url.username === "" && url.password === "") return url.href;
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  for (const name of new Set(shown.searchParams.keys()))
    if (credentialQuery.test(name)) shown.searchParams.set(name, leftOut);
  return shown.href.replaceAll(encodeURIComponent(leftOut), leftOut);
}

function textOf(body: NetBody): string {
  return typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}

/**
 * Follows https://fetch.spec.whatwg.org/#http-redirect-fetch, without headers that may be credentials if the origin
 * changes; `undefined` if the response is not a redirect.
 * @throws {TypeError} if the location is unusable.
 */
export function afterRedirect(
  request: NetRequest,
  { status, headers: answered }: Response,
): NetRequest | undefined {
  const location = answered.get("location");
  if (location === null || !redirectStatuses.has(status)) return undefined;
  if (!URL.canParse(location, request.url.href))
    throw new TypeError(`Cannot follow the redirect of "${request.url.origin}": its location is not a URL`);
  const url = new URL(location, request.url);
  const headers = new Headers(request.headers);
  if (url.origin !== request.url.origin) {
    if (url.username !== "" || url.password !== "")
      throw new TypeError(
        `Cannot follow the redirect of "${request.url.origin}": its location has credentials in it`,
      );
    for (const name of request.headers.keys()) if (isCredentialHeader(name)) headers.delete(name);
  }
  const isPost = (status === 301 || status === 302) && request.method === "POST";
  const isSeeOther = status === 303 && request.method !== "GET" && request.method !== "HEAD";
  if (!isPost && !isSeeOther) return { ...request, url, headers };
  for (const name of bodyHeaders) headers.delete(name);
  return { url, method: "GET", headers, body: undefined };
}
