import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { StepFailure, maxFailureLength } from "../failures/step-failure.ts";
import type { SendableMessages } from "./model-messages.ts";
import type { FoundModel } from "../models/find-model.ts";
import { type Usage, finishReasonSchema, lazySchema, partMetadataSchema, type FinishReason } from "@incipit/schema";
import { errorMessage, isTooDeep, tooDeepText, readableError, type Clock } from "@incipit/kernel";
import type { Settled } from "../waits/settle.ts";
import * as z from "zod";

export type ModelReplyEvent = Exclude<ModelEvent, { readonly type: "failure" }>;

interface ModelStreamOptions extends Omit<ModelRequest, "model"> {
  readonly found: FoundModel;
  readonly model: string;
  readonly sendable: SendableMessages;
}

/**
 * Has a timeout per event. Leaving the iteration aborts the request.
 *
 * @throws {StepFailure} the model's failure; `CANCELLED` once `signal` aborts, `TIMEOUT`, `CUT_OFF`. Errors of the
 * provider or of `observe`.
 */
export async function* modelStream(
  context: Pick<OrchestratorContext, "clock" | "settings" | "redactor">,
  { found, model, sendable, ...request }: ModelStreamOptions,
): AsyncGenerator<ModelReplyEvent> {
  const { clock, settings } = context;
  const { signal } = request;
  const timeoutMs = settings.idleTimeoutMs;
  const ended = new AbortController();
  const given = found.provider.stream({
    ...request,
    model: found.name,
    messages: sendable.for(found, request.messages),
    signal: AbortSignal.any([signal, ended.signal]),
  });
  const iterator = eventsOf(given, model)[Symbol.asyncIterator]();
  const waits = new EventWaits(iterator, { timeoutMs, clock, signal });
  try {
    for (;;) {
      const next = await waits.next();
      if (next.kind === "aborted") throw failure("CANCELLED", `The call of "${model}" was stopped`);
      if (next.kind === "timeout") throw failure("TIMEOUT", `"${model}" sent nothing for ${timeoutMs / 1_000} s`);
      if (next.kind === "done") throw failure("CUT_OFF", `"${model}" stopped in the middle of its reply`);
      const event = parseModelEvent(next.value, model);
      if (event.type === "failure") {
        const { error } = event; // The message may quote the request.
        throw new StepFailure({ ...error, message: context.redactor.redact(error.message) });
      }
      yield event;
      if (event.type === "finish") return;
    }
  } finally {
    waits.end();
    ended.abort();
    // Not awaited, because a provider may ignore its signal.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Third-party providers may return a promise of events. @throws {StepFailure} */
function eventsOf(given: unknown, model: string): AsyncIterable<ModelEvent> {
  const events = eventsSchema.safeParse(given);
  if (events.success) return events.data;
  const later = z.custom<PromiseLike<unknown>>((value) => value instanceof Promise).safeParse(given);
  if (!later.success) throw failure("BAD_RESPONSE", `The provider of "${model}" gave no events to iterate`);
  return (async function* () {
    yield* eventsOf(await later.data, model);
  })();
}

const eventsSchema = z.custom<AsyncIterable<ModelEvent>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
);

function failure(code: string, message: string): StepFailure {
  return new StepFailure({ code, message, isRetryable: false });
}

/** Per call, so that sums stay safe integers and can be exported. */
export const maxCount = 1_000_000_000;

export function countedUsage(usage: unknown): Usage {
  const given: Partial<Record<keyof Usage, unknown>> = typeof usage === "object" && usage !== null ? usage : {};
  const counts = {
    inputTokens: countOf(given.inputTokens),
    outputTokens: countOf(given.outputTokens),
    cacheReadTokens: countOf(given.cacheReadTokens),
    cacheWriteTokens: countOf(given.cacheWriteTokens),
  };
  const reasoningTokens = countOf(given.reasoningTokens);
  const costUsd = costOf(given.costUsd);
  return {
    ...counts,
    ...(reasoningTokens === null ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function costOf(given: unknown): number | undefined {
  return typeof given === "number" && given >= 0 && given <= maxCount ? given : undefined;
}

function countOf(given: unknown): number | null {
  return typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= maxCount ? given : null;
}

const metadata = z
  .custom<unknown>((value) => !isTooDeep(value), `is ${tooDeepText}`)
  .pipe(partMetadataSchema)
  .exactOptional();
const partId = z.string();
const toolCallId = z.string();
const name = z.string();

const failureSchema = lazySchema(() =>
  z.object({
    code: z.string(),
    message: z.string().transform((text) => text.slice(0, maxFailureLength)),
    isRetryable: z.boolean(),
    retryAfterMs: z.number().min(0).exactOptional(),
  }),
);

/** A string of the vendor; the limit exceeds all known values. */
const said = z.string().min(1).max(500).exactOptional();
const responseSchema = lazySchema(() => z.object({ id: said, model: said }));

const eventSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal(["text-delta", "reasoning-delta"]), partId, text: z.string() }),
    z.object({ type: z.literal(["text-start", "reasoning-start"]), partId }),
    z.object({ type: z.literal(["text-end", "reasoning-end"]), partId, metadata }),
    z.object({ type: z.literal("tool-call-start"), toolCallId, name }),
    z.object({ type: z.literal("tool-call"), toolCallId, name, input: z.string(), metadata }),
    z.object({
      type: z.literal("tool-run"),
      toolCallId,
      name,
      input: z.string(),
      output: z.string(),
      isError: z.boolean(),
    }),
    z.object({ type: z.literal("failure"), error: failureSchema }),
  ]),
);

/**
 * Third-party providers may yield any value, and stored events must stay readable. Reads each member once.
 *
 * @throws {StepFailure} `BAD_RESPONSE`.
 */
function parseModelEvent(given: unknown, model: string): ModelEvent {
  const parsed = parse(given);
  if (parsed.success) return parsed.data;
  const message = `The provider of "${model}" gave an invalid event: ${parsed.problem}`;
  throw new StepFailure({ code: "BAD_RESPONSE", message, isRetryable: false });
}

const maxExplanationLength = 20_000;

function parse(
  given: unknown,
): { readonly success: true; readonly data: ModelEvent } | { readonly success: false; readonly problem: string } {
  try {
    const plain = plainEvent(given);
    if (plain !== undefined) return { success: true, data: plain };
    const { data, error } = eventSchema.safeParse(given);
    if (data !== undefined) return { success: true, data };
    const [issue] = error.issues;
    return { success: false, problem: `${issue?.path.map(String).join(".") || "it"}: ${issue?.message}` };
  } catch (error) {
    return { success: false, problem: errorMessage(error).slice(0, 500) }; // A getter or proxy has thrown.
  }
}

/** Fast path for the most frequent events, equivalent to the schema. */
function plainEvent(given: unknown): ModelEvent | undefined {
  if (typeof given !== "object" || given === null || !("type" in given)) return undefined;
  const { type } = given;
  if (type === "finish") {
    const response = responseSchema.safeParse("response" in given ? given.response : undefined).data;
    const said = response === undefined ? {} : { response };
    const stopSequence = "stopSequence" in given ? given.stopSequence : undefined;
    const explanation = "explanation" in given ? given.explanation : undefined;
    return {
      type,
      usage: usageOf(given),
      finishReason: finishReasonOf(given),
      ...said,
      ...(typeof stopSequence === "string" ? { stopSequence } : {}),
      ...(typeof explanation === "string" ? { explanation: explanation.slice(0, maxExplanationLength) } : {}),
    };
  }
  const id = "partId" in given ? given.partId : undefined;
  if (typeof id !== "string") return undefined;
  switch (type) {
    case "text-delta":
    case "reasoning-delta": {
      const text = "text" in given ? given.text : undefined;
      return typeof text === "string" ? { type, partId: id, text } : undefined;
    }
    case "text-start":
    case "reasoning-start":
      return { type, partId: id };
    case "text-end":
    case "reasoning-end":
      return "metadata" in given ? undefined : { type, partId: id };
    default:
      return undefined;
  }
}

function usageOf(finish: object): Usage {
  return countedUsage("usage" in finish ? finish.usage : undefined);
}

function finishReasonOf(finish: object): FinishReason {
  return finishReasonSchema.safeParse("finishReason" in finish ? finish.finishReason : undefined).data ?? "other";
}

type Next<Value> = Settled<Value> | { readonly kind: "done" };

interface EventWaitsOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One timer and one listener serve the whole stream, because a reply can have more than a thousand events. */
class EventWaits<Value> {
  readonly #iterator: AsyncIterator<Value>;
  readonly #options: EventWaitsOptions;
  readonly #onAbort = (): void => this.#settle({ kind: "aborted" });
  #waiting: PromiseWithResolvers<Next<Value>> | undefined;
  #waitsSinceMs = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(iterator: AsyncIterator<Value>, options: EventWaitsOptions) {
    this.#iterator = iterator;
    this.#options = options;
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Call again only after it has resolved. Rejects as the stream does. */
  next(): Promise<Next<Value>> {
    const { clock, timeoutMs, signal } = this.#options;
    if (signal.aborted) return Promise.resolve({ kind: "aborted" });
    const waiting = Promise.withResolvers<Next<Value>>();
    this.#waiting = waiting;
    this.#waitsSinceMs = clock.now();
    this.#cancelTimer ??= clock.setTimer(() => this.#look(), timeoutMs);
    this.#iterator.next().then(
      (result) => {
        if (this.#waiting !== waiting) return;
        this.#settle(result.done === true ? { kind: "done" } : { kind: "value", value: result.value });
      },
      // The stream may be extension code: an unreadable error would be lost.
      (error: unknown) => {
        if (this.#waiting !== waiting) return;
        this.#waiting = undefined;
        waiting.reject(readableError(error));
      },
    );
    return waiting.promise;
  }

  end(): void {
    this.#waiting = undefined;
    this.#cancelTimer?.();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }

  #settle(next: Next<Value>): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(next);
  }

  /** The current wait may have begun after the timer was set. */
  #look(): void {
    const { clock, timeoutMs } = this.#options;
    this.#cancelTimer = undefined;
    if (this.#waiting === undefined) return;
    const leftMs = this.#waitsSinceMs + timeoutMs - clock.now();
    if (leftMs <= 0) this.#settle({ kind: "timeout" });
    else this.#cancelTimer = clock.setTimer(() => this.#look(), leftMs);
  }
}
