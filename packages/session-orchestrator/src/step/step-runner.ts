import { LinkedSignal, type StorageWrite } from "@incipit/kernel";
import type { FinishReason, MessagePart, Step, StepId } from "@incipit/schema";
import type { PermissionAnswer, PermissionQuestion } from "@incipit/service-contract";
import { ModelCall, type CallEnd, type Said } from "../call/model-call.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { NewEvent } from "../events/event-log.ts";
import { toFailure } from "../failures/step-failure.ts";
import { StepLedger, type StepRequest } from "./step-ledger.ts";
import { providerAsker } from "../models/find-model.ts";
import { assertMaySpend } from "../spending/spend-limits.ts";

export interface StepResult {
  readonly step: Step;
  readonly parts: readonly MessagePart[];
  readonly finishReason: FinishReason | undefined;
  readonly explanation?: string;
  readonly failure: unknown;
}

/** In UTF-16 units; truncated after redaction. */
const maxExplanationLength = 1_000;

/** Never rejects. */
export class StepRunner {
  readonly #context: OrchestratorContext;
  readonly #conversation: LoadedConversation;
  readonly #request: StepRequest;
  readonly #stepId: StepId;
  readonly #ledger: StepLedger;
  readonly #call: ModelCall;
  /** Held back to share a commit with the first content. */
  #begun: readonly NewEvent[] = [];
  #isStarted = false;
  /** Concurrent with the stream; a failure ends the step at the next event. */
  #stored: Promise<void> = Promise.resolve();
  #storageFailure: unknown;
  /** Also aborts open permission requests. */
  readonly #replyOver = new AbortController();
  readonly #questions = new Set<Promise<unknown>>();

  constructor(context: OrchestratorContext, conversation: LoadedConversation, request: StepRequest) {
    const stepId = conversation.nextStepId();
    const { id } = conversation.record;
    const { turnId, purpose } = request;
    this.#context = context;
    this.#conversation = conversation;
    this.#request = request;
    this.#stepId = stepId;
    this.#ledger = new StepLedger(context, conversation, { stepId, request });
    this.#call = new ModelCall(
      context,
      {
        ...request,
        sendable: conversation.sendable,
        stepId,
        cacheId: id,
        // A provider that runs its own tools may already have run the call.
        repeatsBegunCalls: request.found.provider.runsOwnTools !== true,
        work: { conversationId: id, turnId, purpose },
        askPermission: purpose === "turn" ? (question) => this.#askPermission(question) : undefined,
      },
      {
        leaving: async (wire, attempt, session) => {
          if (attempt > 1) await assertMaySpend(context, conversation, request);
          await this.#ledger.leaving(wire, { attempt, session, commit: (writes) => this.#commitStart(writes) });
        },
        retrying: (retry) => this.#showRetry(retry),
      },
    );
  }

  async run(): Promise<StepResult> {
    let usage: Step["usage"] = null;
    let finishReason: Step["finishReason"] = null;
    let explanation: string | undefined;
    let failure: unknown;
    try {
      const end = await this.#untilEnd();
      if (end.hasFailed) throw end.failure;
      ({ usage, finishReason, explanation } = end);
      this.#ledger.complete();
      // Pending writes are not awaited: the end of the step is ordered after them and shares their commit.
      if (this.#storageFailure !== undefined) throw this.#storageFailure;
    } catch (error) {
      failure = error;
    }
    this.#replyOver.abort();
    await Promise.allSettled(this.#questions);
    this.#start();
    const ends = this.#call.close({ hasFailed: failure !== undefined });
    const events = [...this.#begun, ...this.#forFollowers(ends)];
    if (events.length > 0) this.#append(events);
    const error = failure === undefined ? null : toFailure(failure, this.#context.redactor);
    const step = await this.#ledger.end({ usage, ...this.#call.estimate(usage), finishReason, error });
    this.#call.tell({ usage, finishReason, error });
    const said =
      explanation === undefined
        ? {}
        : { explanation: this.#context.redactor.redact(explanation).slice(0, maxExplanationLength) };
    return { step, parts: this.#call.parts, finishReason: finishReason ?? undefined, ...said, failure };
  }

  async #untilEnd(): Promise<CallEnd> {
    const said = this.#call.said();
    let next = await said.next();
    while (next.done !== true) {
      if (this.#storageFailure !== undefined) {
        next = await said.throw(this.#storageFailure);
        continue;
      }
      this.#show(next.value);
      // Backpressure for models faster than the disk.
      if (this.#conversation.log.isBehind) await this.#stored;
      next = await said.next();
    }
    return next.value;
  }

  #show({ event, shown }: Said): void {
    const events = [...this.#begun, ...this.#forFollowers(shown)];
    this.#begun = event.type === "text-start" || event.type === "reasoning-start" ? events : [];
    if (events.length === this.#begun.length) return;
    this.#start();
    this.#append(events);
  }

  async #showRetry({ attempt, waitMs, error }: { attempt: number; waitMs: number; error: unknown }): Promise<void> {
    this.#start();
    const { turnId, purpose } = this.#request;
    if (purpose !== "turn") return;
    const failure = toFailure(error, this.#context.redactor);
    const event = { type: "step-retry", turnId, stepId: this.#stepId, attempt, waitMs, error: failure } as const;
    await this.#conversation.log.append([event]);
  }

  async #askPermission({ preview, ...question }: PermissionQuestion): Promise<PermissionAnswer> {
    const { turnId, found, signal } = this.#request;
    if (this.#replyOver.signal.aborted) return { decision: "deny", reason: "stopped" };
    using either = new LinkedSignal(signal, this.#replyOver.signal);
    const asked = this.#conversation.approvals.ask({
      ...question,
      turnId,
      owner: providerAsker(found),
      preview: () => Promise.resolve(preview),
      timeoutMs: this.#context.settings.approvalTimeoutMs,
      signal: either.signal,
    });
    this.#questions.add(asked);
    try {
      const { decision, reason } = await asked;
      return { decision, reason };
    } finally {
      this.#questions.delete(asked);
    }
  }

  /** A compaction's reply becomes one message and is not streamed. */
  #forFollowers(events: readonly NewEvent[]): readonly NewEvent[] {
    return this.#request.purpose === "compaction" ? [] : events;
  }

  /** With the first request, or with the first event of a provider that records none. */
  #start(writes?: readonly StorageWrite[]): void {
    const { turnId, purpose, model } = this.#request;
    if (this.#isStarted && writes === undefined) return;
    const isShown = purpose === "turn" && !this.#isStarted;
    const events: readonly NewEvent[] = isShown
      ? [{ type: "step-start", turnId, stepId: this.#stepId, model }]
      : [];
    this.#isStarted = true;
    this.#append(events, writes ?? [this.#ledger.write]);
  }

  async #commitStart(writes: readonly StorageWrite[]): Promise<void> {
    this.#start(writes);
    await this.#stored;
    if (this.#storageFailure !== undefined) throw this.#storageFailure;
  }

  #append(events: readonly NewEvent[], writes: readonly StorageWrite[] = []): void {
    this.#stored = this.#conversation.log.show(events, writes).catch((error: unknown) => {
      this.#storageFailure ??= error;
    });
  }
}
