import type { TurnBody, TurnEvent } from "@incipit/schema";
import { ApiClientError, parseJson, unreadable, type Requests } from "@incipit/transport-contract/http";
import type { Tries } from "./retry.ts";

export interface EventsOptions {
  readonly requests: Requests;
  readonly tries: Tries;
  readonly silentAfterMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Runs indefinitely; resumes after a disconnect. */
export async function* eventsAfter(
  id: string,
  afterSeq: number,
  options: EventsOptions,
): AsyncGenerator<TurnEvent> {
  for (let newest = afterSeq; ;) {
    const connect = (): Promise<Response> =>
      options.requests.send(
        { method: "GET", path: "/conversations/:id/events" },
        { params: { id }, headers: { "last-event-id": String(newest) }, ...withSignal(options.signal) },
      );
    for await (const event of untilCutOff(connect, options)) {
      newest = event.seq;
      yield event;
    }
  }
}

/**
 * Until acknowledged, the message is sent again with its key, which returns the same turn; afterwards the turn is only
 * followed.
 */
export async function* eventsOfTurn(
  id: string,
  { request, key }: { readonly request: TurnBody; readonly key: string },
  options: EventsOptions,
): AsyncGenerator<TurnEvent> {
  const connect = (): Promise<Response> =>
    options.requests.send(
      { method: "POST", path: "/conversations/:id/turns" },
      { params: { id }, body: request, headers: { "idempotency-key": key }, ...withSignal(options.signal) },
    );
  let newest: TurnEvent | undefined;
  while (newest === undefined)
    for await (const event of untilCutOff(connect, options)) {
      newest = event;
      yield event;
      if (event.type === "turn-end") return;
    }
  const { turnId } = newest;
  for await (const event of eventsAfter(id, newest.seq, options)) {
    if (event.turnId !== turnId) continue;
    yield event;
    if (event.type === "turn-end") return;
  }
}

/** A single connection, until it closes and the retry delay is over. */
async function* untilCutOff(
  connect: () => Promise<Response>,
  { requests, tries, silentAfterMs, signal }: EventsOptions,
): AsyncGenerator<TurnEvent> {
  try {
    const response = await connect();
    tries.answered();
    for await (const data of requests.events(response, { signal, silentAfterMs })) {
      const event = parseJson(data);
      if (!isTurnEvent(event)) throw unreadable(response.status, data);
      tries.progressed();
      yield event;
    }
  } catch (error) {
    await tries.failed(error);
    return;
  }
  // A host closes its streams when it exits or replaces its API.
  await tries.failed(new ApiClientError("UNREACHABLE", "The host closed the stream", { status: 0 }));
}

/** Accepts unknown events of newer hosts. */
function isTurnEvent(value: unknown): value is TurnEvent {
  if (typeof value !== "object" || value === null) return false;
  if (!("type" in value) || !("seq" in value) || !("turnId" in value)) return false;
  return typeof value.type === "string" && typeof value.seq === "number" && typeof value.turnId === "string";
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
