import type { Conversation, TurnBody, TurnEvent } from "@incipit/schema";
import {
  parseJson,
  Requests,
  unreadable,
  type CallOptions,
  type ClientOptions,
} from "@incipit/transport-contract/http";
import type { Endpoint, EndpointAnswer, EndpointInput } from "./endpoint.ts";
import { defaultRetry, Tries, type Connection, type RetryOptions } from "./retry.ts";
import { eventsAfter, eventsOfTurn, type EventsOptions } from "./turn-events.ts";

export interface IncipitClientOptions extends ClientOptions {
  readonly retry?: RetryOptions;
  /** Told when the host cannot be reached, before each new try, and when it answers again. */
  readonly onConnection?: (connection: Connection) => void;
}

interface WithSignal {
  readonly signal?: AbortSignal;
}

/** The parameters of a call: none are needed where its route takes none. */
type Given<Key extends Endpoint> =
  Partial<EndpointInput<Key>> extends EndpointInput<Key>
    ? [options?: CallOptions & EndpointInput<Key>]
    : [options: CallOptions & EndpointInput<Key>];

/**
 * Talks with one host. Every method rejects with `ApiClientError`, whose `code` is one of the API's, or with the reason of
 * `signal` once that has aborted.
 *
 * - A host that is away is tried again, longer and longer apart, until `giveUpAfterMs`: what only reads, streams, and messages,
 *   which a key keeps from being sent twice. Whatever else changes something is tried once.
 * - Streams that were cut off go on behind the newest event: none is missing, and none comes twice.
 * - Answers are typed as this version knows them, and not checked.
 */
export interface Client {
  /** Calls a route that answers with JSON, such as `call("GET /health")`. */
  call<Key extends Endpoint>(endpoint: Key, ...given: Given<Key>): Promise<EndpointAnswer<Key>>;
  /**
   * Sends a message; gives the events of its turn, the last of them `turn-end`. Leaving early does not end the turn: `POST
   * /conversations/:id/stop` does. Absent key: a new one.
   */
  sendTurn(
    id: string,
    request: TurnBody,
    options?: WithSignal & { readonly idempotencyKey?: string },
  ): AsyncGenerator<TurnEvent, void, undefined>;
  /** Events after a number, then live, until `signal` aborts; absent: from now on. */
  followEvents(
    id: string,
    options?: WithSignal & { readonly afterSeq?: number },
  ): AsyncGenerator<TurnEvent, void, undefined>;
  /** The bytes of an export, tried once. When its last line is not `end`, it was cut off; `importConversation` refuses it. */
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
      // From now on is from a number on: what happens while it is cut off comes, too.
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

/** An object: what is in it is the word of the host. */
function isAnswer<Key extends Endpoint>(_: Key, value: unknown): value is EndpointAnswer<Key> {
  return typeof value === "object" && value !== null;
}

/** Not `randomUUID`, which browsers have on pages of HTTPS and of this machine alone. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
