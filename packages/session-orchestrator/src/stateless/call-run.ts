import { errorMessage, type JsonValue, type WireRequest } from "@incipit/kernel";
import {
  stepIdSchema,
  turnIdSchema,
  type CallId,
  type MessagePart,
  type ModelCall as CallRecord,
  type ModelCallPrompt,
} from "@incipit/schema";
import type { ModelCallEvent, ModelCallRequest, ModelEvent, ModelFailure } from "@incipit/service-contract";
import { ModelCall, type CallEnd, type Said } from "../call/model-call.ts";
import type { CallTarget } from "../call/call-target.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { NewEvent } from "../events/event-log.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { askPrices } from "../models/ask-prices.ts";
import { hostStops } from "../waits/host-stops.ts";
import type { CallRecords } from "./call-records.ts";
import { idInReply, isWantedBack } from "./stored-replies.ts";
import { assertMaySpendToday } from "../spending/spend-limits.ts";
import { sha256Of } from "../store/sha256.ts";

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
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #call: ModelCall;
  #record: CallRecord;
  #isPromptStored = false;
  #ending: Promise<void> | undefined;

  constructor(context: OrchestratorContext, options: CallRunOptions) {
    const { id, target, request, prompt, conversationId, signal } = options;
    this.#context = context;
    this.#options = options;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    const system = prompt.systemTexts.join("\n\n");
    this.#record = {
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
      systemSha256: system === "" ? null : sha256Of(system),
      usage: null,
      prices: null,
      responseId: null,
      responseModel: null,
      finishReason: null,
      error: null,
    };
    this.#call = new ModelCall(
      context,
      {
        // A reply speaks of its turn and step: the call stands for both.
        turnId: turnIdSchema.parse(id),
        stepId: stepIdSchema.parse(id),
        found: target.found,
        model: target.model,
        cacheId: conversationId,
        cwd: target.cwd,
        systemPrompt: prompt.systemTexts,
        messages: request.messages,
        tools: request.tools,
        settings: request.settings,
        work: { conversationId: null, turnId: null, purpose: "stateless" },
        repeatsBegunCalls: this.#isReplyStored,
        signal: this.#signal,
      },
      { leaving: (wire, attempt) => this.#leaving(wire, attempt), retrying: () => Promise.resolve() },
    );
    void this.#learnPrices();
  }

  /** They stand in no way of the call: what is not known when it ends is not known. */
  async #learnPrices(): Promise<void> {
    const prices = await askPrices(this.#context, this.#options.target.found);
    if (this.#ending === undefined) this.#record = { ...this.#record, prices };
  }

  /** Stored before anything is done. @throws {ServiceError} as `CallRecords.begin`. */
  begin(kept: JsonValue): Promise<void> {
    return this.#options.records.begin(this.#record, kept);
  }

  /** Never throws: the last event tells how it ended. */
  async *events(): AsyncGenerator<ModelCallEvent> {
    try {
      yield { type: "call-start", callId: this.#record.id, model: this.#record.model };
      const end = yield* this.#said();
      if (end.hasFailed) throw end.failure;
      const { usage, finishReason, stopSequence } = end;
      yield* toModelEvents(this.#call.close({ hasFailed: false }));
      const { id: responseId = null, model: responseModel = null } = this.#call.response ?? {};
      await this.#end({ status: "completed", usage, finishReason, responseId, responseModel });
      yield { type: "finish", usage, finishReason, ...(stopSequence === undefined ? {} : { stopSequence }) };
    } catch (error) {
      yield* toModelEvents(this.#call.close({ hasFailed: true }));
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

  async *#said(): AsyncGenerator<ModelEvent, CallEnd> {
    await assertMaySpendToday(this.#context);
    await using said = this.#call.said();
    for (;;) {
      const next = await said.next();
      if (next.done === true) return next.value;
      yield* this.#shown(next.value);
    }
  }

  #shown({ event, shown }: Said): readonly ModelEvent[] {
    const events = toModelEvents(shown);
    if (event.type !== "tool-call")
      return this.#isReplyStored ? events.filter(({ type }) => type !== "tool-call-start") : events;
    const part = this.#parts.at(-1);
    const whole = part?.type === "tool-call" ? [part] : [];
    return this.#isReplyStored ? whole : [...events, ...whole];
  }

  get #isReplyStored(): boolean {
    return this.#options.request.keepsReply === true;
  }

  /** What was said, its calls with the ids that they are shown with. */
  get #parts(): readonly MessagePart[] {
    const { parts } = this.#call;
    if (!this.#isReplyStored || !isWantedBack(parts)) return parts;
    let count = 0;
    return parts.map((part) =>
      part.type === "tool-call" ? { ...part, toolCallId: idInReply(this.#record.id, count++) } : part,
    );
  }

  /** Stored before the first byte leaves; what cannot be stored is not sent. */
  async #leaving(wire: WireRequest, attempts: number): Promise<void> {
    if (attempts > 1) await assertMaySpendToday(this.#context);
    this.#signal.throwIfAborted(); // Its end is stored: nothing may follow that.
    const requestSizeBytes = Buffer.byteLength(wire.body);
    this.#record = { ...this.#record, attempts, requestSha256: wire.sha256, requestSizeBytes };
    const { records, request, prompt } = this.#options;
    await records.leave(this.#record, { wire, told: request, prompt: this.#isPromptStored ? undefined : prompt });
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
  #end(outcome: Pick<CallRecord, "status"> & Partial<CallRecord>): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    const estimate = this.#call.estimate(outcome.usage ?? null);
    this.#record = { ...this.#record, ...outcome, ...estimate, endedAt: this.#now() };
    const { records, prompt } = this.#options;
    const isStored = this.#isReplyStored && outcome.status === "completed" && isWantedBack(this.#parts);
    const stored = records.end(this.#record, {
      prompt: this.#isPromptStored ? undefined : prompt,
      reply: isStored ? { model: this.#record.model, parts: [...this.#parts] } : undefined,
    });
    stored.catch((error: unknown) =>
      this.#context.log.error("The end of a model call could not be stored", {
        callId: this.#record.id,
        error: errorMessage(error),
      }),
    );
    this.#call.tell(this.#record);
    return (this.#ending = stored);
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
