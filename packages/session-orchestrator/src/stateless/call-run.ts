import { sha256Hex } from "@incipit/common";
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
import { SendableMessages } from "../call/model-messages.ts";
import type { CallTarget } from "../call/call-target.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { NewEvent } from "../events/event-log.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { fetchPrices } from "../models/fetch-prices.ts";
import { hostStops } from "../waits/host-stops.ts";
import type { CallRecords } from "./call-records.ts";
import { idInReply, isWantedBack } from "./stored-replies.ts";
import { assertMaySpendToday } from "../spending/spend-limits.ts";

export interface CallRunOptions {
  readonly id: CallId;
  readonly target: CallTarget;
  readonly request: ModelCallRequest;
  readonly prompt: ModelCallPrompt;
  readonly conversationId: string;
  readonly records: CallRecords;
  /** The abort reason distinguishes host stop and cancellation. */
  readonly signal: AbortSignal;
}

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
      systemSha256: system === "" ? null : sha256Hex(system),
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
        // `Reply` requires a turn and a step; the call's id serves as both.
        turnId: turnIdSchema.parse(id),
        stepId: stepIdSchema.parse(id),
        found: target.found,
        model: target.model,
        cacheId: conversationId,
        cwd: target.cwd,
        systemPrompt: prompt.systemTexts,
        messages: request.messages,
        sendable: new SendableMessages(),
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

  /** The call does not wait for prices; they are `null` if they arrive late. */
  async #learnPrices(): Promise<void> {
    const prices = await fetchPrices(this.#context, this.#options.target.found);
    if (this.#ending === undefined) this.#record = { ...this.#record, prices };
  }

  begin(kept: JsonValue): Promise<void> {
    return this.#options.records.begin(this.#record, kept);
  }

  /** Never throws: the last event contains the outcome. */
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
      // The consumer may have left early.
      this.#stop.abort();
      await this.cutOff().catch(() => undefined); // The consumer, if any, received the error.
    }
  }

  /** Stores an early end, also without a consumer. Idempotent. */
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

  get #parts(): readonly MessagePart[] {
    const { parts } = this.#call;
    if (!this.#isReplyStored || !isWantedBack(parts)) return parts;
    let count = 0;
    return parts.map((part) =>
      part.type === "tool-call" ? { ...part, toolCallId: idInReply(this.#record.id, count++) } : part,
    );
  }

  /** A request that cannot be stored is not sent. */
  async #leaving(wire: WireRequest, attempts: number): Promise<void> {
    if (attempts > 1) await assertMaySpendToday(this.#context);
    this.#signal.throwIfAborted();
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

  /** Only the first outcome counts. */
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
        return []; // Interrupted calls have no end event; the failure follows.
    }
  });
}
