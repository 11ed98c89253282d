import type { Conversation, TurnBody, TurnEvent } from "@incipit/schema";
import type { Endpoint, EndpointAnswer, EndpointOptions } from "@incipit/transport-contract";
import {
  parseJson,
  Requests,
  unreadable,
  type CallOptions,
  type ClientOptions,
} from "@incipit/transport-contract/http";
import { newKey } from "./new-key.ts";
import { defaultRetry, Tries, type Connection, type RetryOptions } from "./retry.ts";
import { eventsAfter, eventsOfTurn, type EventsOptions } from "./turn-events.ts";

export interface IncipitClientOptions extends ClientOptions {
  readonly retry?: RetryOptions;
  /** Called before each retry, and when the host answers again. */
  readonly onConnection?: (connection: Connection) => void;
}

interface WithSignal {
  readonly signal?: AbortSignal;
}

/**
 * A client of a host. Methods reject with `ApiClientError`, whose `code` is an API error code, or with the reason
 * of an aborted `signal`.
 *
 * - An unreachable host is retried with exponential backoff until `giveUpAfterMs`, for reads, streams, and
 *   messages, which an idempotency key deduplicates. Other writes are not retried.
 * - Interrupted streams resume after the last event, without gaps or duplicates.
 * - Answers are typed for this version and not validated.
 */
export interface Client {
  /** Calls a JSON route, such as `call("GET /health")`. */
  call<Key extends Endpoint>(endpoint: Key, ...options: EndpointOptions<Key>): Promise<EndpointAnswer<Key>>;
  /**
   * Sends a message and yields the events of its turn, ending with `turn-end`. Leaving early does not stop the
   * turn; use `POST /conversations/:id/stop`. The key defaults to a new one.
   */
  sendTurn(
    id: string,
    request: TurnBody,
    options?: WithSignal & { readonly idempotencyKey?: string },
  ): AsyncGenerator<TurnEvent, void, undefined>;
  /** Yields events after a number, then live ones, until `signal` aborts. Defaults to new events only. */
  followEvents(
    id: string,
    options?: WithSignal & { readonly afterSeq?: number },
  ): AsyncGenerator<TurnEvent, void, undefined>;
  /**
   * Returns the bytes of an export, without retries. A truncated export does not end with an `end` line, and
   * `importConversation` rejects it.
   */
  exportConversation(id: string, options?: WithSignal): Promise<ReadableStream<Uint8Array>>;
  importConversation(exported: Blob | ReadableStream<Uint8Array>, options?: WithSignal): Promise<Conversation>;
}

export function createClient({ retry, onConnection = () => {}, ...options }: IncipitClientOptions): Client {
  const requests = new Requests({ ...options, url: options.url.replace(/\/+$/, "") });
  const settings = { ...defaultRetry, ...retry };
  const triesUntil = (signal: AbortSignal | undefined): Tries =>
    new Tries({ retry: settings, signal, onConnection });
  const streaming = (signal: AbortSignal | undefined): EventsOptions => ({
    requests,
    tries: triesUntil(signal),
    silentAfterMs: settings.silentAfterMs,
    signal,
  });

  const call = async <Key extends Endpoint>(
    endpoint: Key,
    given: CallOptions = {},
  ): Promise<EndpointAnswer<Key>> => {
    const target = targetOf(endpoint);
    const tries = triesUntil(given.signal);
    for (;;)
      try {
        const response = await requests.send(target, given);
        const text = await requests.text(response, { signal: given.signal });
        tries.answered();
        const answer = parseJson(text);
        if (!isAnswer(endpoint, answer)) throw unreadable(response.status, text);
        return answer;
      } catch (error) {
        if (target.method !== "GET") throw error;
        await tries.failed(error);
      }
  };

  return {
    call: (endpoint, ...[given]) => call(endpoint, given),
    sendTurn: (id, request, { idempotencyKey: key = newKey(), signal } = {}) =>
      eventsOfTurn(id, { request, key }, streaming(signal)),
    async *followEvents(id, { afterSeq, signal } = {}) {
      // Events during a disconnect must not be lost.
      const from =
        afterSeq ??
        (await call("GET /conversations/:id", { params: { id }, ...(signal && { signal }) })).conversation.lastSeq;
      yield* eventsAfter(id, from, streaming(signal));
    },
    async exportConversation(id, { signal } = {}) {
      const target = { method: "GET", path: "/conversations/:id/export" } as const;
      const response = await requests.send(target, { params: { id }, ...(signal && { signal }) });
      return response.body ?? new ReadableStream();
    },
    async importConversation(lines, { signal } = {}) {
      const target = { method: "POST", path: "/conversations/import" } as const;
      const response = await requests.send(target, { lines, ...(signal && { signal }) });
      const text = await requests.text(response, { signal });
      const answer = parseJson(text);
      if (!isAnswer("GET /conversations/:id", answer)) throw unreadable(response.status, text);
      return answer.conversation;
    },
  };
}

const methods = ["GET", "PUT", "POST", "PATCH", "DELETE"] as const;

function targetOf(endpoint: string): { readonly method: (typeof methods)[number]; readonly path: string } {
  const [given, path = ""] = endpoint.split(" ", 2);
  const method = methods.find((known) => known === given);
  if (method === undefined) throw new TypeError(`"${endpoint}" is not a route: write it as "GET /health"`);
  return { method, path };
}

function isAnswer<Key extends Endpoint>(_: Key, value: unknown): value is EndpointAnswer<Key> {
  return typeof value === "object" && value !== null;
}
