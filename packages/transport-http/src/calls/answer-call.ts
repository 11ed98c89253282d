import type { CallId } from "@incipit/schema";
import { errorMessage } from "@incipit/kernel";
import {
  ServiceError,
  type ModelCallEvent,
  type ModelCallRequest,
  type ModelCallsService,
  type ModelFailure,
} from "@incipit/service-contract";
import { callIdHeader } from "@incipit/transport-contract";
import type { ReplyFinish, ReplySaid } from "@incipit/wire";
import type { Services } from "../context/services.ts";
import { eventStream } from "../stream/event-stream.ts";

/** A stream begins with the model's first event, so that a refusal has its own status; but no later than this. */
const firstEventTimeoutMs = 15_000;

export interface CallHead {
  readonly callId: CallId;
  /** PROVIDER/MODEL. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
}

/** Writes one reply in the shapes of a protocol, as the events of a stream or whole. */
export interface ReplyWriter<Event> {
  begin(): readonly Event[];
  take(said: ReplySaid): readonly Event[];
  /** The last of a stream. */
  end(finish: ReplyFinish): readonly Event[];
  whole(finish: ReplyFinish): Response;
  /** The last of a stream that fails. */
  failed(failure: ModelFailure): readonly Event[];
  /** The last of one whose token is over. */
  notAnyMore(message: string): readonly Event[];
  /** What is to be stored before the end is told. */
  store?(finish: ReplyFinish): Promise<void>;
  /** Nothing more comes of the reply; told any number of times, and before a failure is. */
  drop?(): void;
}

/** A protocol that clients of models speak. */
export interface CallProtocol<Event> {
  writer(head: CallHead): ReplyWriter<Event>;
  /** One event as it goes over the wire. */
  encode(event: Event): string;
  /** Headers that name the call, beside the host's own. */
  readonly idHeaders: readonly string[];
  /** The answer when nothing was said before. */
  refusal(failure: ModelFailure, callId: CallId): Response;
}

export interface AnswerCallOptions<Event> {
  readonly protocol: CallProtocol<Event>;
  readonly isStreamed: boolean;
  /** Longest time for the reply; then the call is stopped, and fails with `TIMEOUT`. Absent: no bound of the client's. */
  readonly timeoutMs?: number | undefined;
  readonly services: Pick<Services, "clock" | "log" | "waitUntil">;
  /** Ends a stream with an error when it aborts: the client may not go on. `undefined`: that does not happen. */
  readonly over: AbortSignal | undefined;
  /** Stops the call until the answer begins. */
  readonly signal: AbortSignal;
}

type Tail = AsyncIterator<ModelCallEvent>;

/**
 * Answers with what a model says, whole or as server-sent events. Who leaves stops the call.
 * @throws {ServiceError} what the call is refused with.
 */
export async function answerCall<Event>(
  calls: ModelCallsService,
  request: ModelCallRequest,
  options: AnswerCallOptions<Event>,
): Promise<Response> {
  const { signal, isStreamed, protocol } = options;
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) stop.abort();
  const events = calls.call(request, { signal: stop.signal })[Symbol.asyncIterator]();
  const start = await events.next();
  if (start.done === true || start.value.type !== "call-start")
    throw new TypeError("A model call did not begin with its id");
  const { callId, model } = start.value;
  const created = Math.floor(options.services.clock.now() / 1_000);
  const writer = protocol.writer({ callId, model, created });
  const deadline = deadlineOf(options);
  if (isStreamed) return streamed(events, { ...options, writer, callId, stop, deadline });
  const answered = await whole(events, { writer, protocol, callId, stop, deadline });
  return withHeaders(answered, idHeadersOf(protocol, callId));
}

/** The bound that a client has set for its call. */
interface Deadline {
  /** Resolves when the time is over; the call is still to be stopped then. `undefined`: it has no bound. */
  readonly passed: Promise<ModelCallEvent> | undefined;
  readonly cancel: () => void;
}

function deadlineOf<Event>({ timeoutMs, services: { clock } }: AnswerCallOptions<Event>): Deadline {
  if (timeoutMs === undefined) return { passed: undefined, cancel: () => {} };
  const late = Promise.withResolvers<ModelCallEvent>();
  const cancel = clock.setTimer(() => {
    const message = `The call was stopped: it took longer than its "timeout" of ${timeoutMs / 1_000} s`;
    late.resolve({ type: "failure", error: { code: "TIMEOUT", message, isRetryable: false } });
  }, timeoutMs);
  return { passed: late.promise, cancel };
}

/** The next event, or the failure of a call whose time is over. */
async function nextBefore(
  next: Promise<IteratorResult<ModelCallEvent>>,
  { passed }: Deadline,
): Promise<ModelCallEvent | undefined> {
  const came = next.then(({ value }): ModelCallEvent | undefined => value);
  came.catch(() => undefined); // Nobody waits for it once the time is over.
  return passed === undefined ? came : Promise.race([passed, came]);
}

async function whole<Event>(
  events: Tail,
  {
    writer,
    protocol,
    callId,
    stop,
    deadline,
  }: Pick<StreamOptions<Event>, "writer" | "protocol" | "callId" | "stop" | "deadline">,
): Promise<Response> {
  try {
    for (;;) {
      const event = await nextBefore(events.next(), deadline);
      if (event?.type === "failure") stop.abort(); // It may be late, and still go on.
      if (event === undefined || event.type === "failure") return refusal(protocol, event?.error, callId);
      if (event.type === "finish") {
        await writer.store?.(event);
        return writer.whole(event);
      }
      if (isSaid(event)) writer.take(event);
    }
  } finally {
    deadline.cancel();
    writer.drop?.();
    letGo(events);
  }
}

/** Behind its last event a call has something to tidy up; nobody waits for that. */
function letGo(events: Tail): void {
  events.return?.()?.catch(() => undefined); // It keeps its own record of how it ended.
}

interface StreamOptions<Event> extends AnswerCallOptions<Event> {
  readonly writer: ReplyWriter<Event>;
  readonly callId: CallId;
  readonly stop: AbortController;
  readonly deadline: Deadline;
}

async function streamed<Event>(events: Tail, options: StreamOptions<Event>): Promise<Response> {
  const { services, callId, stop, protocol, writer, deadline } = options;
  const { clock, log, waitUntil } = services;
  const first = events.next();
  first.catch(() => undefined); // The stream tells.
  const soon = await within(nextBefore(first, deadline), firstEventTimeoutMs, clock);
  if (soon?.type === "failure") {
    stop.abort(); // It may be late, and still go on.
    deadline.cancel();
    writer.drop?.();
    letGo(events);
    return withHeaders(refusal(protocol, soon.error, callId), idHeadersOf(protocol, callId));
  }
  const over = Promise.withResolvers<void>();
  waitUntil(over.promise);
  const encoder = new TextEncoder();
  return eventStream(replyEvents(first, events, options), {
    clock,
    abort: stop,
    headers: idHeadersOf(protocol, callId),
    encode: (event) => encoder.encode(protocol.encode(event)),
    onEnd: (failure) => {
      over.resolve();
      deadline.cancel();
      writer.drop?.();
      if (failure === undefined) return;
      const error = failure instanceof Error ? failure.message : "not an error";
      log.error("A streamed completion was cut off", { callId, error });
    },
  });
}

/** The last is what the protocol ends with, or an error. */
async function* replyEvents<Event>(
  first: Promise<IteratorResult<ModelCallEvent>>,
  events: Tail,
  { writer, over, deadline }: StreamOptions<Event>,
): AsyncGenerator<Event> {
  const refused = Promise.withResolvers<typeof notAnyMore>();
  const refuse = (): void => refused.resolve(notAnyMore);
  over?.addEventListener("abort", refuse, { once: true });
  if (over?.aborted === true) refuse();
  try {
    yield* writer.begin();
    for (let next = first; ; next = events.next()) {
      const came = await Promise.race([refused.promise, nextBefore(next, deadline)]);
      if (came === notAnyMore) {
        writer.drop?.();
        yield* writer.notAnyMore("The token of this call is over: the call was stopped");
        return;
      }
      if (came === undefined || came.type === "failure") {
        writer.drop?.();
        yield* writer.failed(came?.error ?? cutOff);
        return;
      }
      if (came.type === "finish") {
        const unstored = await failureOf(writer.store?.(came));
        yield* unstored === undefined ? writer.end(came) : writer.failed(unstored);
        return;
      }
      if (isSaid(came)) yield* writer.take(came);
    }
  } finally {
    over?.removeEventListener("abort", refuse);
    letGo(events);
  }
}

async function failureOf(stored: Promise<void> | undefined): Promise<ModelFailure | undefined> {
  try {
    await stored;
    return undefined;
  } catch (error) {
    const code = ServiceError.is(error) ? error.code : "STORAGE_FAILED";
    return { code, message: errorMessage(error), isRetryable: false };
  }
}

/** What belongs to a reply: no provider runs tools by itself for a call that has no conversation. */
export function isSaid(event: ModelCallEvent): event is Extract<ModelCallEvent, { type: ReplySaid["type"] }> {
  return event.type !== "call-start" && event.type !== "tool-run";
}

const notAnyMore = Symbol("not any more");

const cutOff: ModelFailure = { code: "CUT_OFF", message: "The call was over before its end", isRetryable: false };

/** The host has tried again where that could help: the vendors' own clients, which know this header, need not. */
function refusal<Event>(protocol: CallProtocol<Event>, failure: ModelFailure = cutOff, callId: CallId): Response {
  const refused = protocol.refusal(failure, callId);
  refused.headers.set("x-should-retry", "false");
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) refused.headers.set("retry-after", String(Math.ceil(retryAfterMs / 1_000)));
  return refused;
}

function idHeadersOf<Event>({ idHeaders }: CallProtocol<Event>, callId: CallId): Readonly<Record<string, string>> {
  return Object.fromEntries([callIdHeader, ...idHeaders].map((name) => [name, callId]));
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** `undefined`: it has not come by then. */
async function within<Value>(
  value: Promise<Value>,
  timeoutMs: number,
  clock: Services["clock"],
): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.setTimer(() => late.resolve(undefined), timeoutMs);
  try {
    return await Promise.race([value, late.promise]);
  } finally {
    cancel();
  }
}
