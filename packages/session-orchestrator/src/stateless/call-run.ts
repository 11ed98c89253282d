import { errorMessage, type WireRequest } from "@incipit/kernel";
import {
  stepIdSchema,
  turnIdSchema,
  type CallId,
  type MessagePart,
  type ModelCall,
  type ModelCallEvent,
  type ModelCallPrompt,
  type ModelCallRequest,
  type ModelEvent,
  type ModelFailure,
} from "@incipit/service-contract";
import { callModel, type ModelReplyEvent } from "../call/call-model.ts";
import type { CallTarget } from "../call/call-target.ts";
import type { OrchestratorContext } from "../context/context.ts";
import type { NewEvent } from "../events/event-log.ts";
import { isRetryable, StepFailure, toFailure } from "../failures/failure.ts";
import { hostStops } from "../waits/host-stops.ts";
import { Reply } from "../call/reply.ts";
import { retryDelayMs } from "../call/retry.ts";
import { ToolCallIds } from "../call/tool-call-ids.ts";
import { waitUnlessAborted } from "../waits/wait-unless-aborted.ts";
import type { CallRecords } from "./call-records.ts";
import { idInReply, isWantedBack } from "./kept-replies.ts";

export interface CallRunOptions {
  readonly id: CallId;
  readonly target: CallTarget;
  readonly request: ModelCallRequest;
  readonly prompt: ModelCallPrompt;
  /** Names the client's conversation for the vendor's cache. */
  readonly conversationId: string;
  readonly records: CallRecords;
  /** Its reason says who stops it. */
  readonly signal: AbortSignal;
}

/** One model call without a conversation, from its record to its end. */
export class CallRun {
  readonly #context: OrchestratorContext;
  readonly #options: CallRunOptions;
  readonly #reply: Reply;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #call: ModelCall;
  #hasShown = false;
  #isPromptStored = false;
  #ending: Promise<void> | undefined;
  readonly #startedAtMs: number;
  #firstEventAtMs: number | null = null;
  #serverUrl: string | null = null;

  constructor(context: OrchestratorContext, options: CallRunOptions) {
    const { id, target, request, prompt, signal } = options;
    this.#context = context;
    this.#options = options;
    this.#startedAtMs = context.clock.now();
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    // A reply speaks of its turn and step: the call stands for both.
    const ids = { turnId: turnIdSchema.parse(id), stepId: stepIdSchema.parse(id) };
    const callIds = new ToolCallIds(request.messages, request.tools);
    this.#reply = new Reply({ ...ids, model: target.model, callIds });
    const system = prompt.systemTexts.join("\n\n");
    this.#call = {
      id,
      status: "running",
      model: target.model,
      profile: target.profile,
      cwd: target.cwd,
      startedAt: this.#now(),
      endedAt: null,
      attempts: 0,
      requestSha256: null,
      requestSizeBytes: null,
      systemSha256: system === "" ? null : new Bun.CryptoHasher("sha256").update(system).digest("hex"),
      usage: null,
      finishReason: null,
      error: null,
    };
  }

  /** Never throws: the last event tells how it ended. */
  async *events(): AsyncGenerator<ModelCallEvent> {
    try {
      yield { type: "call-start", callId: this.#call.id, model: this.#call.model };
      const end = yield* this.#untilDone();
      yield* toModelEvents(this.#reply.close({ hasFailed: false }));
      await this.#end({ status: "completed", usage: end.usage, finishReason: end.finishReason });
      yield end;
    } catch (error) {
      yield* toModelEvents(this.#reply.close({ hasFailed: true }));
      yield { type: "failure", error: await this.#fail(error) };
    } finally {
      // Whoever left before the end has stopped it.
      this.#stop.abort();
      await this.cutOff().catch(() => undefined); // It was told, where somebody was there.
    }
  }

  /** Stores that it did not come to its end, unless it has: also of one whose events nobody takes. */
  cutOff(): Promise<void> {
    return this.#end({ status: this.#options.signal.reason === hostStops ? "interrupted" : "cancelled" });
  }

  async *#untilDone(): AsyncGenerator<ModelEvent, Extract<ModelEvent, { readonly type: "finish" }>> {
    const { settings, clock } = this.#context;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return yield* this.#attempt();
      } catch (error) {
        const isLast = this.#hasShown || attempt >= settings.maxAttempts || this.#signal.aborted;
        if (!isRetryable(error) || isLast) throw error;
        const retryAfterMs = error instanceof StepFailure ? error.failure.retryAfterMs : undefined;
        await waitUnlessAborted(retryDelayMs(attempt, retryAfterMs), clock, this.#signal);
        if (this.#signal.aborted) throw error;
      }
    }
  }

  async *#attempt(): AsyncGenerator<ModelEvent, Extract<ModelEvent, { readonly type: "finish" }>> {
    const { target, request, prompt, conversationId } = this.#options;
    const { settings } = request;
    const events = callModel(this.#context, {
      found: target.found,
      model: target.model,
      conversationId,
      systemPrompt: prompt.systemTexts,
      messages: request.messages,
      tools: request.tools,
      ...(settings === undefined ? {} : { settings }),
      signal: this.#signal,
      observe: (wire) => this.#observe(wire),
    });
    for await (const event of events) {
      this.#firstEventAtMs ??= this.#context.clock.now();
      if (event.type === "finish") return event;
      const shown = this.#shown(event);
      this.#hasShown ||= shown.length > 0;
      yield* shown;
    }
    throw new TypeError("A model's reply was over without its end");
  }

  #shown(event: Exclude<ModelReplyEvent, { readonly type: "finish" }>): readonly ModelEvent[] {
    const events = toModelEvents(this.#reply.take(event));
    if (event.type !== "tool-call")
      return this.#isReplyKept ? events.filter(({ type }) => type !== "tool-call-start") : events;
    const part = this.#parts.at(-1);
    const whole = part?.type === "tool-call" ? [part] : [];
    return this.#isReplyKept ? whole : [...events, ...whole];
  }

  get #isReplyKept(): boolean {
    return this.#options.request.keepsReply === true;
  }

  /** What was said, its calls with the ids that they are shown with. */
  get #parts(): readonly MessagePart[] {
    const { parts } = this.#reply;
    if (!this.#isReplyKept || !isWantedBack(parts)) return parts;
    let count = 0;
    return parts.map((part) =>
      part.type === "tool-call" ? { ...part, toolCallId: idInReply(this.#call.id, count++) } : part,
    );
  }

  /** Stored before the first byte leaves; what cannot be stored is not sent. */
  async #observe(wire: WireRequest): Promise<void> {
    this.#signal.throwIfAborted(); // Its end is stored: nothing may follow that.
    this.#call = {
      ...this.#call,
      attempts: this.#call.attempts + 1,
      requestSha256: wire.sha256,
      requestSizeBytes: Buffer.byteLength(wire.body),
    };
    this.#serverUrl = URL.canParse(wire.url) ? new URL(wire.url).origin : null;
    const { records, request, prompt } = this.#options;
    await records.leave(this.#call, { wire, told: request, prompt: this.#isPromptStored ? undefined : prompt });
    this.#isPromptStored = true;
  }

  async #fail(error: unknown): Promise<ModelFailure> {
    const failure = toFailure(error, this.#context.redactor);
    if (this.#options.signal.aborted) await this.cutOff().catch(() => undefined);
    const stored = this.#end({ status: "failed", error: failure });
    const unstored = await stored.then(
      () => undefined,
      (cause: unknown) => toFailure(cause, this.#context.redactor),
    );
    if (unstored !== undefined && !(error instanceof StepFailure)) return { ...unstored, isRetryable: false };
    return error instanceof StepFailure ? error.failure : { ...failure, isRetryable: false };
  }

  /** Once: what comes first is how it ended. */
  #end(outcome: Pick<ModelCall, "status"> & Partial<ModelCall>): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    this.#call = { ...this.#call, ...outcome, endedAt: this.#now() };
    const { records, prompt } = this.#options;
    const isKept = this.#isReplyKept && outcome.status === "completed" && isWantedBack(this.#parts);
    const stored = records.end(this.#call, {
      prompt: this.#isPromptStored ? undefined : prompt,
      reply: isKept ? { model: this.#call.model, parts: [...this.#parts] } : undefined,
    });
    stored.catch((error: unknown) =>
      this.#context.log.error("The end of a model call could not be stored", {
        callId: this.#call.id,
        error: errorMessage(error),
      }),
    );
    this.#tell();
    return (this.#ending = stored);
  }

  #tell(): void {
    const { observers, clock } = this.#context;
    const { target, request, prompt } = this.#options;
    const { id: callId, attempts, usage, finishReason, error } = this.#call;
    const { messages, tools, settings = {} } = request;
    const content = { systemPrompt: prompt.systemTexts, messages, tools, reply: this.#reply.parts };
    observers.tell({
      type: "model-call",
      conversationId: null,
      turnId: null,
      callId,
      purpose: "stateless",
      provider: target.found.provider.id,
      model: target.found.name,
      serverUrl: this.#serverUrl,
      startedAtMs: this.#startedAtMs,
      firstEventAtMs: this.#firstEventAtMs,
      endedAtMs: clock.now(),
      attempts,
      settings,
      usage,
      finishReason,
      error,
      ...(observers.hasContent ? { content } : {}),
    });
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}

/** As a provider tells them. */
function toModelEvents(events: readonly NewEvent[]): readonly ModelEvent[] {
  return events.flatMap((event): readonly ModelEvent[] => {
    switch (event.type) {
      case "text-start":
      case "reasoning-start":
      case "text-end":
      case "reasoning-end":
        return [{ type: event.type, partId: event.partId }];
      case "text-delta":
      case "reasoning-delta":
        return [{ type: event.type, partId: event.partId, text: event.text }];
      case "tool-call-start":
        return [{ type: event.type, toolCallId: event.toolCallId, name: event.name }];
      default:
        return []; // A call that was cut off has no end here: the failure says so.
    }
  });
}
