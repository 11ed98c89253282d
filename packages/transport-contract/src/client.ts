import {
  turnEventSchema,
  type ApiErrorCode,
  type Conversation,
  type CreateTurnRequest,
  type NextAction,
  type TurnEvent,
} from "@incipit/schema";
import type * as z from "zod";
import { errorResponseSchema } from "./errors/api-error.ts";
import { routes } from "./routes.ts";
import { exportContentType } from "./routes/conversation-routes.ts";
import type { Route } from "./routes/route.ts";

/**
 * A code of the API, or what only a caller can see. `UNREADABLE`: the answer was not one of this API's. `UNREACHABLE`:
 * there was no answer, or it was cut off.
 */
export type ApiClientErrorCode = ApiErrorCode | "UNREADABLE" | "UNREACHABLE";

/** A call that did not end as its route says. */
export class ApiClientError extends Error {
  override readonly name = "ApiClientError";
  readonly code: ApiClientErrorCode;
  /** 0 when there was no answer. */
  readonly status: number;
  /** What the answer said beside code and message. */
  readonly details: unknown;
  /** What can be done about it. */
  readonly next: NextAction | undefined;

  constructor(
    code: ApiClientErrorCode,
    message: string,
    options: {
      readonly status: number;
      readonly details?: unknown;
      readonly next?: NextAction | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.details = options.details;
    this.next = options.next;
  }
}

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4140`. */
  readonly url: string;
  /** Absent: a browser that is signed in sends its cookie. */
  readonly token?: string;
  /** Absent: the global one. */
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

/** A route that answers with JSON. */
export interface TypedRoute<Response extends z.ZodType> extends Route {
  readonly response: Response;
  readonly isStream?: never;
  readonly isLines?: never;
  readonly bodyLines?: never;
}

/** A route that can be called with nothing but its name. */
export interface RouteWithoutInput {
  readonly params?: never;
  readonly body?: never;
}

type InputOf<Target, Key extends "params" | "body"> =
  Target extends Readonly<Record<Key, z.ZodType>>
    ? Readonly<Record<Key, z.input<Target[Key]>>>
    : Readonly<Partial<Record<Key, never>>>;

/** What a route has to be called with. */
export type RouteInput<Target> = InputOf<Target, "params"> &
  InputOf<Target, "body"> &
  (Target extends { readonly query: infer Query extends z.ZodType }
    ? { readonly query?: z.input<Query> }
    : { readonly query?: never });

/** Every method rejects with {@link ApiClientError}, or with the signal's reason once `signal` has aborted. */
export interface Client {
  /** Calls a route that answers with JSON, such as `call(routes.getHealth)`. */
  call<Response extends z.ZodType>(
    route: TypedRoute<Response> & RouteWithoutInput,
    options?: CallOptions,
  ): Promise<z.output<Response>>;
  call<Response extends z.ZodType, Target extends Route>(
    route: Target & TypedRoute<Response>,
    options: CallOptions & RouteInput<Target>,
  ): Promise<z.output<Response>>;
  /**
   * Sends a message; gives the events of its turn, the last of them `turn-end`. Leaving early does not end the turn. With
   * an `idempotencyKey` it can be sent again when it is not known whether it arrived: that gives the same turn.
   */
  sendTurn(
    id: string,
    request: CreateTurnRequest,
    options?: { readonly idempotencyKey?: string; readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>;
  /** Events after a number, then live; absent: from now on. Ends when the host closes the stream. */
  followEvents(
    id: string,
    options?: { readonly afterSeq?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>;
  /** The bytes of an export. When its last line is not `end`, it was cut off; `importConversation` refuses it then. */
  exportConversation(id: string, options?: { readonly signal?: AbortSignal }): Promise<ReadableStream<Uint8Array>>;
  importConversation(
    exported: Blob | ReadableStream<Uint8Array>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Conversation>;
}

/** The HTTP API as typed functions; runs wherever `fetch` does. */
export function createClient({ url, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const request = async (
    route: Route,
    options: CallOptions & { readonly lines?: Blob | ReadableStream<Uint8Array> },
  ): Promise<Response> => {
    const { body, lines, signal } = options;
    const response = await reaching({ url, signal }, () =>
      fetch(`${url}${pathOf(route, options)}`, {
        method: route.method,
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
    throw toError(response.status, await reaching({ url, signal }, () => response.text()));
  };

  const read = async <Response extends z.ZodType>(
    route: { readonly response: Response },
    { response, signal }: { readonly response: globalThis.Response; readonly signal: AbortSignal | undefined },
  ): Promise<z.output<Response>> => {
    const text = await reaching({ url, signal }, () => response.text());
    const answer = route.response.safeParse(parseJson(text));
    if (!answer.success) throw unreadable(response.status, text);
    return answer.data;
  };

  const stream = async function* (route: Route, options: CallOptions): AsyncGenerator<TurnEvent> {
    const response = await request(route, options);
    // Loaded by who reads a stream: a host has this client's schemas alone.
    const { createParser } = await import("eventsource-parser");
    const received: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => received.push(data) });
    const decoder = new TextDecoder();
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
    try {
      for (;;) {
        const { done, value } = await reaching({ url, signal: options.signal }, () => reader.read());
        if (done) return;
        parser.feed(decoder.decode(value, { stream: true }));
        for (const data of received.splice(0)) {
          const event = turnEventSchema.safeParse(parseJson(data));
          if (!event.success) throw unreadable(response.status, data);
          yield event.data;
        }
      }
    } finally {
      await reader.cancel().catch(() => undefined); // It has ended, or failed as was just thrown.
    }
  };

  return {
    async call<Response extends z.ZodType>(
      route: TypedRoute<Response>,
      options: CallOptions = {},
    ): Promise<z.output<Response>> {
      return read(route, { response: await request(route, options), signal: options.signal });
    },
    sendTurn: (id, body, { idempotencyKey, signal } = {}) =>
      stream(routes.createTurn, {
        params: { id },
        body,
        ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
        ...(signal === undefined ? {} : { signal }),
      }),
    async exportConversation(id, { signal } = {}) {
      const options = { params: { id }, ...(signal === undefined ? {} : { signal }) };
      return (await request(routes.exportConversation, options)).body ?? new ReadableStream();
    },
    async importConversation(lines, { signal } = {}) {
      const options = { lines, ...(signal === undefined ? {} : { signal }) };
      const response = await request(routes.importConversation, options);
      return (await read(routes.importConversation, { response, signal })).conversation;
    },
    followEvents: (id, { afterSeq, signal } = {}) =>
      stream(routes.followEvents, {
        params: { id },
        ...(afterSeq === undefined ? {} : { query: { after: afterSeq } }),
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

function pathOf(route: Route, { params = {}, query = {} }: CallOptions): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** Tells an answer that did not come from a caller who did not want it any more. */
async function reaching<Result>(
  { url, signal }: { readonly url: string; readonly signal: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    // Its first sentence: the rest of what a `fetch` says is for whoever wrote the call.
    const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split(/\.(?:\s|$)/);
    throw new ApiClientError("UNREACHABLE", `Cannot reach the host at ${url}: ${reason}; is it running?`, {
      status: 0,
      cause,
    });
  }
}

function toError(status: number, text: string): ApiClientError {
  const answer = errorResponseSchema.safeParse(parseJson(text));
  if (!answer.success) return unreadable(status, text);
  const { code, message, details, next } = answer.data.error;
  return new ApiClientError(code, message, { status, details, next });
}

function unreadable(status: number, text: string): ApiClientError {
  const message = `The host answered ${status} with what this version does not know: ${text.slice(0, 200)}`;
  return new ApiClientError("UNREADABLE", message, { status });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No schema of the API takes it: whoever asked for the answer says so.
  }
}
