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
import type { ReplyFinish, ReplyDelta } from "@incipit/wire";
import type { Services } from "../context/services.ts";
import { eventStream } from "../stream/event-stream.ts";

/** A stream starts with the model's first event, so that an error has its own status, or after this time. */
const firstEventTimeoutMs = 15_000;

export interface CallHead {
  readonly callId: CallId;
  readonly model: string;
  readonly created: number;
}

export interface ReplyWriter<Event> {
  begin(): readonly Event[];
  take(said: ReplyDelta): readonly Event[];
  end(finish: ReplyFinish): readonly Event[];
  whole(finish: ReplyFinish): Response;
  failed(failure: ModelFailure): readonly Event[];
  notAnyMore(message: string): readonly Event[];
  /** Precedes the final events. */
  store?(finish: ReplyFinish): Promise<void>;
  /** No more output follows. Called any number of times, and before a failure is sent. */
  drop?(): void;
}

export interface CallProtocol<Event> {
  writer(head: CallHead): ReplyWriter<Event>;
  encode(event: Event): string;
  readonly idHeaders: readonly string[];
  refusal(failure: ModelFailure, callId: CallId): Response;
}

export interface AnswerCallOptions<Event> {
  readonly protocol: CallProtocol<Event>;
  readonly isStreamed: boolean;
  readonly timeoutMs?: number | undefined;
  readonly services: Pick<Services, "clock" | "log" | "waitUntil">;
  /** Aborts when the client loses access, which ends a stream with an error. */
  readonly over: AbortSignal | undefined;
  /** Stops the call until the answer begins. */
  readonly signal: AbortSignal;
}

type Tail = AsyncIterator<ModelCallEvent>;

/** A disconnect stops the call. */
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

interface Deadline {
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

async function nextBefore(
  next: Promise<IteratorResult<ModelCallEvent>>,
  { passed }: Deadline,
): Promise<ModelCallEvent | undefined> {
  const came = next.then(({ value }): ModelCallEvent | undefined => value);
  came.catch(() => undefined); // Prevents an unhandled rejection after the timeout.
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
      if (event?.type === "failure") stop.abort();
      if (event === undefined || event.type === "failure") return refusal(protocol, event?.error, callId);
      if (event.type === "finish") {
        await writer.store?.(event);
        return writer.whole(event);
      }
      if (isReplyEvent(event)) writer.take(event);
    }
  } finally {
    deadline.cancel();
    writer.drop?.();
    letGo(events);
  }
}

/** Does not wait for the call's cleanup. */
function letGo(events: Tail): void {
  events.return?.()?.catch(() => undefined); // The call records its own end.
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
  first.catch(() => undefined); // The stream reports the error.
  const soon = await within(nextBefore(first, deadline), firstEventTimeoutMs, clock);
  if (soon?.type === "failure") {
    stop.abort();
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
      if (isReplyEvent(came)) yield* writer.take(came);
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

/** Providers run no tools of their own in stateless calls. */
export function isReplyEvent(
  event: ModelCallEvent,
): event is Extract<ModelCallEvent, { type: ReplyDelta["type"] }> {
  return event.type !== "call-start" && event.type !== "tool-run";
}

const notAnyMore = Symbol("not any more");

const cutOff: ModelFailure = { code: "CUT_OFF", message: "The call was over before its end", isRetryable: false };

/** The host has already retried where useful; this header tells the vendors' clients not to. */
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
