import { isCredentialHeader, type WireRequest } from "@incipit/kernel";
import { sha256Hex } from "@incipit/common";

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

/** Returns the record of a request, without credentials. */
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

/** Count, and total length in UTF-16 units. */
const maxKnown = 64;
const maxKnownLength = 4_194_304;
/** Below this length, hashing is as fast as a prefix lookup. */
const minLength = 8_192;
/** The next request of the conversation replaces these. */
const closingLength = "]}".length;
/** Texts of two conversations rarely share the same piece at the same offset. */
const sampleLength = 64;

interface KnownBeginning {
  readonly text: string;
  readonly hasher: Bun.CryptoHasher;
}

/** A request of a conversation usually starts with the previous one, so only the rest is hashed. */
export class BodyHashes {
  readonly #known: KnownBeginning[] = [];
  #knownLength = 0;

  of(body: NetBody): string {
    if (typeof body !== "string" || body.length < minLength) return sha256Hex(body);
    const before = this.#take(body);
    const end = beginningOf(body);
    const hasher =
      before === undefined
        ? new Bun.CryptoHasher("sha256").update(body.slice(0, end))
        : before.hasher.update(body.slice(before.text.length, end));
    this.#keep({ text: body.slice(0, end), hasher });
    return hasher.copy().update(body.slice(end)).digest("hex");
  }

  /** The caller adds a longer prefix. */
  #take(text: string): KnownBeginning | undefined {
    let longest: number | undefined;
    for (const [index, { text: known }] of this.#known.entries()) {
      if (longest !== undefined && known.length <= (this.#known[longest]?.text.length ?? 0)) continue;
      if (isBeginning(known, text)) longest = index;
    }
    const [found] = longest === undefined ? [] : this.#known.splice(longest, 1);
    this.#knownLength -= found?.text.length ?? 0;
    return found;
  }

  #keep(beginning: KnownBeginning): void {
    this.#known.push(beginning);
    this.#knownLength += beginning.text.length;
    while (this.#known.length > maxKnown || this.#knownLength > maxKnownLength)
      this.#knownLength -= this.#known.shift()?.text.length ?? 0;
  }
}

/** Never ends between the halves of a surrogate pair. */
function beginningOf(text: string): number {
  const end = text.length - closingLength;
  const code = text.charCodeAt(end);
  return code >= 0xdc_00 && code <= 0xdf_ff ? end - 1 : end;
}

function isBeginning(known: string, text: string): boolean {
  const { length } = known;
  if (length > text.length) return false;
  const from = Math.max(0, length - sampleLength);
  return known.slice(from) === text.slice(from, length) && text.startsWith(known);
}
