import { EventSourceParserStream } from "eventsource-parser/stream";
import type * as z from "zod";
import { errorResponseSchema, type ApiErrorCode } from "./api-error.ts";
import type { CreateTurnRequest } from "./conversation.ts";
import { routes, type Route } from "./routes.ts";
import { turnEventSchema, type TurnEvent } from "./turn-event.ts";

/** An error answer of the host. */
export class ApiClientError extends Error {
  override readonly name = "ApiClientError";
  /** `UNREADABLE`: the answer was not one of this API's. */
  readonly code: ApiErrorCode | "UNREADABLE";
  readonly status: number;

  constructor(code: ApiErrorCode | "UNREADABLE", message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4140`. */
  readonly url: string;
  readonly token: string;
}

export interface CallOptions {
  /** Values of `:name` in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TypedRoute<Response extends z.ZodType> extends Route {
  readonly response: Response;
}

export interface Client {
  /** Calls a route that answers with JSON, such as `call(routes.getHealth)`. @throws {ApiClientError} */
  call<Response extends z.ZodType>(route: TypedRoute<Response>, options?: CallOptions): Promise<z.output<Response>>;
  /** Sends a message; gives the events of its turn, the last of them `turn-end`. @throws {ApiClientError} */
  sendTurn(
    id: string,
    request: CreateTurnRequest,
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>;
  /** Events after a number, then live, until `signal` aborts. @throws {ApiClientError} */
  followEvents(
    id: string,
    options?: { readonly afterSeq?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>;
}

/** The HTTP API as typed functions; runs wherever `fetch` does. */
export function createClient({ url, token }: ClientOptions): Client {
  const request = async ({ method, path }: Route, options: CallOptions = {}): Promise<Response> => {
    const { params = {}, query, body, headers, signal } = options;
    const filled = path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
    const search = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
    const response = await fetch(`${url}${filled}${search}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw await toError(response);
    return response;
  };

  return {
    async call(route, options) {
      const response = await request(route, options);
      return route.response.parse(await response.json());
    },
    async *sendTurn(id, body, { signal } = {}) {
      yield* events(
        await request(routes.createTurn, { params: { id }, body, ...(signal === undefined ? {} : { signal }) }),
      );
    },
    async *followEvents(id, { afterSeq, signal } = {}) {
      const query = afterSeq === undefined ? {} : { query: { after: String(afterSeq) } };
      yield* events(
        await request(routes.followEvents, {
          params: { id },
          ...query,
          ...(signal === undefined ? {} : { signal }),
        }),
      );
    },
  };
}

async function toError(response: Response): Promise<ApiClientError> {
  const text = await response.text();
  const parsed = errorResponseSchema.safeParse(parseJson(text));
  if (parsed.success) return new ApiClientError(parsed.data.error.code, parsed.data.error.message, response.status);
  return new ApiClientError(
    "UNREADABLE",
    `The host answered ${response.status}: ${text.slice(0, 200)}`,
    response.status,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON is one of the answers that `toError` tells apart.
  }
}

async function* events(response: Response): AsyncGenerator<TurnEvent> {
  const messages = (response.body ?? new ReadableStream<Uint8Array>())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const message of messages) yield turnEventSchema.parse(JSON.parse(message.data));
}
