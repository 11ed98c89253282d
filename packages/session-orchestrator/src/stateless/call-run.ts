import type { JsonValue } from "@incipit/kernel";
import { stepIdSchema, turnIdSchema, type MessagePart, type ModelCall as CallRecord } from "@incipit/schema";
import type { ModelCallEvent, ModelCallRequest, ModelEvent, ModelFailure } from "@incipit/service-contract";
import { ModelCall, type CallEnd, type Said } from "../call/model-call.ts";
import { SendableMessages } from "../call/model-messages.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { NewEvent } from "../events/event-log.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { idInReply, isWantedBack, RecordedCall, type RecordedCallOptions } from "./call-records.ts";
import { assertMaySpendToday } from "../spending/spend-limits.ts";

export interface CallRunOptions extends Omit<RecordedCallOptions, "onEnd"> {
  readonly request: ModelCallRequest;
  readonly conversationId: string;
}

export class CallRun {
  readonly #context: OrchestratorContext;
  readonly #options: CallRunOptions;
  readonly #stop = new AbortController();
  readonly #call: ModelCall;
  readonly #recorded: RecordedCall;

  constructor(context: OrchestratorContext, options: CallRunOptions) {
    const { id, target, request, prompt, conversationId, signal: given } = options;
    const signal = AbortSignal.any([given, this.#stop.signal]);
    this.#context = context;
    this.#options = options;
    const onEnd = (call: CallRecord): void => this.#call.tell(call);
    this.#recorded = new RecordedCall(context, { ...options, onEnd });
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
        signal,
      },
      {
        leaving: async (wire) => {
          signal.throwIfAborted();
          await this.#recorded.leaving(wire, request);
        },
        retrying: () => Promise.resolve(),
      },
    );
  }

  begin(kept: JsonValue): Promise<void> {
    return this.#recorded.begin(kept);
  }

  /** Never throws: the last event contains the outcome. */
  async *events(): AsyncGenerator<ModelCallEvent> {
    try {
      const { id: callId, model } = this.#recorded.call;
      yield { type: "call-start", callId, model };
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
    return this.#end({ status: this.#recorded.cutOffStatus });
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
      part.type === "tool-call" ? { ...part, toolCallId: idInReply(this.#options.id, count++) } : part,
    );
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

  #end(outcome: Pick<CallRecord, "status"> & Partial<CallRecord>): Promise<void> {
    if (this.#recorded.hasEnded) return this.#recorded.end(outcome);
    const { model } = this.#recorded.call;
    const isStored = this.#isReplyStored && outcome.status === "completed" && isWantedBack(this.#parts);
    return this.#recorded.end(
      { ...outcome, ...this.#call.estimate(outcome.usage ?? null) },
      isStored ? { model, parts: [...this.#parts] } : undefined,
    );
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
