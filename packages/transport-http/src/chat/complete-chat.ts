import type { CallId } from "@incipit/schema";
import type { ModelCallEvent, ModelCallRequest, ModelCallsService, ModelFailure } from "@incipit/service-contract";
import {
  callIdHeader,
  openAiErrorOf,
  openAiErrorOfFailure,
  routes,
  type OpenAiError,
} from "@incipit/transport-contract";
import { ChatReply, eventOf, type ChatCompletionChunk } from "@incipit/wire";
import { answer } from "../answer/answer.ts";
import { eventStream } from "../stream/event-stream.ts";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import type { Services } from "../context/services.ts";

/** A stream begins with the model's first event, so that a refusal has its own status; but no later than this. */
const firstEventTimeoutMs = 15_000;

export interface CompleteChatOptions {
  readonly isStreamed: boolean;
  /** A stream ends with what it cost. */
  readonly hasUsage: boolean;
  readonly services: Pick<Services, "clock" | "log" | "waitUntil">;
  /** Ends a stream with an error when it aborts: the client may not go on. `undefined`: that does not happen. */
  readonly over: AbortSignal | undefined;
  /** Stops the call until the answer begins. */
  readonly signal: AbortSignal;
}

type Tail = AsyncIterator<ModelCallEvent>;
type ChatEvent = ChatCompletionChunk | { readonly error: OpenAiError } | "[DONE]";

/**
 * Answers with what a model says, whole or as server-sent events. Who leaves stops the call.
 * @throws {ServiceError} what the call is refused with.
 */
export async function completeChat(
  calls: ModelCallsService,
  request: ModelCallRequest,
  options: CompleteChatOptions,
): Promise<Response> {
  const { signal, isStreamed } = options;
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
  const reply = new ChatReply({ id: `chatcmpl-${callId}`, created, model });
  if (isStreamed) return streamed(events, { ...options, reply, callId, stop });
  return withCallId(await whole(events, reply), callId);
}

async function whole(events: Tail, reply: ChatReply): Promise<Response> {
  try {
    for (;;) {
      const { value: event } = await events.next();
      if (event === undefined || event.type === "failure") return refusal(event?.error);
      if (event.type === "finish") return answer(routes.createChatCompletion, reply.completion(event));
      if (event.type !== "call-start") reply.take(event);
    }
  } finally {
    letGo(events);
  }
}

/** Behind its last event a call has something to tidy up; nobody waits for that. */
function letGo(events: Tail): void {
  events.return?.()?.catch(() => undefined); // It keeps its own record of how it ended.
}

interface StreamOptions extends CompleteChatOptions {
  readonly reply: ChatReply;
  readonly callId: CallId;
  readonly stop: AbortController;
}

async function streamed(events: Tail, options: StreamOptions): Promise<Response> {
  const { services, callId, stop } = options;
  const { clock, log, waitUntil } = services;
  const first = events.next();
  first.catch(() => undefined); // The stream tells.
  const soon = await within(first, firstEventTimeoutMs, clock);
  if (soon?.value?.type === "failure") {
    letGo(events);
    return withCallId(refusal(soon.value.error), callId);
  }
  const over = Promise.withResolvers<void>();
  waitUntil(over.promise);
  const encoder = new TextEncoder();
  return eventStream(chatEvents(first, events, options), {
    clock,
    abort: stop,
    headers: { [callIdHeader]: callId },
    encode: (event) => encoder.encode(eventOf(event === "[DONE]" ? event : JSON.stringify(event))),
    onEnd: (failure) => {
      over.resolve();
      if (failure === undefined) return;
      const error = failure instanceof Error ? failure.message : "not an error";
      log.error("A streamed completion was cut off", { callId, error });
    },
  });
}

/** The last is `[DONE]`, or an error. */
async function* chatEvents(
  first: Promise<IteratorResult<ModelCallEvent>>,
  events: Tail,
  { reply, hasUsage, over }: StreamOptions,
): AsyncGenerator<ChatEvent> {
  const refused = Promise.withResolvers<typeof notAnyMore>();
  const refuse = (): void => refused.resolve(notAnyMore);
  over?.addEventListener("abort", refuse, { once: true });
  if (over?.aborted === true) refuse();
  const withUsage = (chunk: ChatCompletionChunk): ChatCompletionChunk =>
    hasUsage ? { ...chunk, usage: chunk.usage ?? null } : chunk;
  try {
    yield withUsage(reply.chunk({ role: "assistant", content: "" }));
    for (let next = first; ; next = events.next()) {
      const came = await Promise.race([refused.promise, next]);
      if (came === notAnyMore) {
        next.catch(() => undefined); // The call is stopped with the stream.
        yield {
          error: openAiErrorOf("UNAUTHORIZED", "The token of this call is over: the call was stopped").error,
        };
        return;
      }
      const { value: event } = came;
      if (event === undefined || event.type === "failure") {
        yield { error: errorOf(event?.error) };
        return;
      }
      if (event.type === "finish") {
        for (const chunk of reply.lastChunks(event, { hasUsage })) yield withUsage(chunk);
        yield "[DONE]";
        return;
      }
      const delta = event.type === "call-start" ? undefined : reply.take(event);
      if (delta !== undefined) yield withUsage(reply.chunk(delta));
    }
  } finally {
    over?.removeEventListener("abort", refuse);
    letGo(events);
  }
}

const notAnyMore = Symbol("not any more");

const cutOff: ModelFailure = { code: "CUT_OFF", message: "The call was over before its end", isRetryable: false };

function errorOf({ code, message }: ModelFailure = cutOff): OpenAiError {
  return openAiErrorOfFailure(code, message).error;
}

/** The host has tried again where that could help: OpenAI's own clients need not. */
function refusal({ code, message, retryAfterMs }: ModelFailure = cutOff): Response {
  const refused = openAiErrorResponse(openAiErrorOfFailure(code, message));
  refused.headers.set("x-should-retry", "false");
  if (retryAfterMs !== undefined) refused.headers.set("retry-after", String(Math.ceil(retryAfterMs / 1_000)));
  return refused;
}

function withCallId(response: Response, callId: CallId): Response {
  response.headers.set(callIdHeader, callId);
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
