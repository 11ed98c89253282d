import type { ApiErrorCode, NextAction } from "@incipit/schema";
import type { Route } from "../routes/route.ts";
import { ApiClientError, unreadable } from "./api-client-error.ts";

/** https://github.com/ndjson/ndjson-spec */
export const exportContentType = "application/x-ndjson";

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4140`. */
  readonly url: string;
  /** Defaults to the cookie of a signed-in browser. */
  readonly token?: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface CallOptions {
  /** Values of `:name` in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface RequestOptions extends CallOptions {
  /** JSON Lines in place of a body. */
  readonly lines?: Blob | ReadableStream<Uint8Array>;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout without data on a stream. By default it waits indefinitely. */
  readonly silentAfterMs?: number;
}

/**
 * Sends requests to one host, without validating responses. Methods reject with {@link ApiClientError}, or with the
 * reason of an aborted `signal`.
 */
export class Requests {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Resolves with a successful response. */
  async send(target: Pick<Route, "method" | "path">, options: RequestOptions = {}): Promise<Response> {
    const { url, token, fetch = globalThis.fetch } = this.#options;
    const { body, lines, signal } = options;
    const response = await this.#reaching(signal, () =>
      fetch(`${url}${pathOf(target.path, options)}`, {
        method: target.method,
        headers: {
          ...options.headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(lines === undefined ? {} : { "content-type": exportContentType }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(lines === undefined ? {} : { body: lines, duplex: "half" }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    if (response.ok) return response;
    throw toError(response.status, await this.text(response, { signal }));
  }

  text(response: Response, { signal }: Pick<ReadOptions, "signal">): Promise<string> {
    return this.#reaching(signal, () => response.text());
  }

  /** Yields the data of each event of a stream. */
  async *events(response: Response, { signal, silentAfterMs }: ReadOptions): AsyncGenerator<string> {
    // Loaded on demand: a host needs only the schemas.
    const { createParser } = await import("eventsource-parser");
    const received: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => received.push(data) });
    const decoder = new TextDecoder();
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
    try {
      for (;;) {
        const { done, value } = await this.#reaching(signal, () => within(silentAfterMs, reader.read()));
        if (done) return;
        parser.feed(decoder.decode(value, { stream: true }));
        yield* received.splice(0);
      }
    } finally {
      await reader.cancel().catch(() => undefined); // Ended, or failed with the error thrown above.
    }
  }

  /** Distinguishes a missing response from an aborted request. */
  async #reaching<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      signal?.throwIfAborted();
      // Uses only the first sentence: the rest of a `fetch` error addresses the developer.
      const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split(/\.(?:\s|$)/);
      const { url } = this.#options;
      const message = `Cannot reach the host at ${url}: ${reason}; is it running${askedByPage(url)}?`;
      throw new ApiClientError("UNREACHABLE", message, { status: 0, cause });
    }
  }
}

/** A browser hides a CORS error from a page of another origin, so the host seems unreachable. */
function askedByPage(url: string): string {
  const page: unknown = Reflect.get(globalThis, "location");
  if (typeof page !== "object" || page === null || !("origin" in page)) return "";
  const { origin } = page;
  if (typeof origin !== "string" || url.startsWith(origin)) return "";
  return `, and is "${origin}" in its listen.allowed_origins`;
}

/** Returns `undefined` for invalid JSON, which callers must handle. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathOf(template: string, { params = {}, query = {} }: CallOptions): string {
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

interface ErrorAnswer {
  readonly error: {
    readonly code: ApiErrorCode;
    readonly message: string;
    readonly details?: unknown;
    readonly next?: NextAction;
  };
}

/** Checked by hand, so that a page need not load the schemas. */
function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return false;
  const { error } = answer;
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) return false;
  return typeof error.code === "string" && typeof error.message === "string";
}

function toError(status: number, text: string): ApiClientError {
  const answer = parseJson(text);
  if (!isErrorAnswer(answer)) return unreadable(status, text);
  const { code, message, details, next } = answer.error;
  return new ApiClientError(code, message, { status, details, next });
}

async function within<Result>(limitMs: number | undefined, work: Promise<Result>): Promise<Result> {
  if (limitMs === undefined) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
