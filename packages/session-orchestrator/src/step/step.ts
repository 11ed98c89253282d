import type { StorageWrite, WireRequest } from "@incipit/kernel";
import type {
  Explain,
  MessagePart,
  ModelMessage,
  ModelSettings,
  Step,
  StepId,
  ToolDefinition,
  TurnId,
  Usage,
} from "@incipit/service-contract";
import { callModel, type ModelReplyEvent } from "../call/call-model.ts";
import * as z from "zod";
import type { OrchestratorContext } from "../context/context.ts";
import type { LoadedConversation } from "../conversation/conversation.ts";
import type { NewEvent } from "../events/event-log.ts";
import { isRetryable, StepFailure, toFailure } from "../failures/failure.ts";
import type { FoundModel } from "../models/models.ts";
import { Reply } from "../call/reply.ts";
import { retryDelayMs } from "../call/retry.ts";
import { measureAddress, measureBodies, measureParts, type MeasuredPrefix } from "../audit/measure-prefix.ts";
import { StepSurroundings } from "./step-surroundings.ts";
import type { PreviousStep } from "../records/previous-step.ts";
import { audit, partHashes, type SentRequest, type StepAudit } from "../audit/step-audit.ts";
import { keys } from "../store/stored.ts";
import { ToolCallIds } from "../call/tool-call-ids.ts";
import { waitUnlessAborted } from "../waits/wait-unless-aborted.ts";
import { keepToldSystem } from "./told-system.ts";
import { keepRequest, readNewest, readRequest, type KeptBody } from "../records/wire-records.ts";
import type { KnownBody } from "../audit/compare-bodies.ts";

const settingsRecordSchema = z.record(z.string(), z.json());

export interface StepRequest {
  readonly turnId: TurnId;
  readonly purpose: Step["purpose"];
  readonly found: FoundModel;
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
  readonly audit: Pick<SentRequest, "requestTierSha256" | "isBuilderAbsent"> & {
    /** How the prompt came about that this turn's takes the place of. */
    readonly promptBefore?: Explain | undefined;
  };
  readonly signal: AbortSignal;
}

export interface StepResult {
  readonly step: Step;
  /** What the model said, in order; on a failure what was shown until then. */
  readonly parts: readonly MessagePart[];
  readonly finishReason: string | undefined;
  readonly failure: unknown;
}

/** One model call, tried again where nothing was shown yet and the vendor says that it may be. Never rejects. */
export class StepRunner {
  readonly #context: OrchestratorContext;
  readonly #conversation: LoadedConversation;
  readonly #request: StepRequest;
  readonly #stepId: StepId;
  readonly #reply: Reply;
  /** What this one is held against: also when it is tried again. */
  readonly #before: PreviousStep | undefined;
  readonly #sent: SentRequest;
  readonly #audited: StepAudit;
  readonly #surroundings: StepSurroundings;
  #previousBody: KnownBody | undefined;
  /** Of the newest request. */
  #withoutMarks: string | undefined;
  #hasSent = false;
  #step: Step;
  #usage: Usage | null = null;
  #finishReason: Step["finishReason"] = null;
  #hasShown = false;
  readonly #startedAtMs: number;
  #firstEventAtMs: number | null = null;
  #url: string | null = null;
  /** Starts of parts, which are stored with what they start with: one commit for both. */
  #begun: readonly NewEvent[] = [];
  #isStarted = false;
  /** Storing what is shown goes on beside the stream; a failure ends the step at the next event. */
  #stored: Promise<void> = Promise.resolve();
  #storageFailure: unknown;

  constructor(context: OrchestratorContext, conversation: LoadedConversation, request: StepRequest) {
    this.#context = context;
    this.#conversation = conversation;
    this.#request = request;
    this.#startedAtMs = context.clock.now();
    this.#stepId = conversation.ids.nextStepId();
    const { turnId, model } = request;
    const callIds = new ToolCallIds(request.messages, request.tools);
    this.#reply = new Reply({ turnId, stepId: this.#stepId, model, callIds });
    this.#before = conversation.previousStep;
    this.#sent = {
      parts: partHashes(request),
      model,
      isCompaction: request.purpose === "compaction",
      requestTierSha256: request.audit.requestTierSha256,
      isBuilderAbsent: request.audit.isBuilderAbsent,
    };
    this.#audited = audit(this.#before, this.#sent);
    this.#surroundings = new StepSurroundings(context, request.found);
    this.#step = this.#firstRecord();
  }

  async run(): Promise<StepResult> {
    let failure: unknown;
    try {
      this.#conversation.hasSteps = true;
      this.#previousBody = await this.#readPreviousBody();
      await this.#tryUntilDone();
      // Of a provider that records nothing.
      this.#noteSent();
      if (this.#step.differenceReason === "prompt-rebuilt") this.#lookForChanges(undefined);
      this.#start();
      // What was shown may still be on its way to the disk: the step's end follows it in one order, and shares its commit.
      if (this.#storageFailure !== undefined) throw this.#storageFailure;
    } catch (error) {
      failure = error;
    }
    const ends = [...this.#begun, ...this.#shown(this.#reply.close({ hasFailed: failure !== undefined }))];
    if (ends.length > 0) this.#append(ends);
    this.#step = {
      ...this.#step,
      ...(await this.#auditEnd()),
      endedAt: this.#now(),
      usage: this.#usage,
      finishReason: this.#finishReason,
      error: failure === undefined ? null : toFailure(failure, this.#context.redactor),
    };
    this.#tell();
    return { step: this.#step, parts: this.#reply.parts, finishReason: this.#finishReason ?? undefined, failure };
  }

  /** What is known at the end. A step that sent nothing has no beginning, and is no cause of anything. */
  async #auditEnd(): Promise<Pick<Step, "firstDifference" | "differenceReason" | "prefix" | "prices">> {
    const { prices, changes, promptReason } = await this.#surroundings.found();
    const { firstDifference, differenceReason, prefix } = this.#step;
    if (!this.#hasSent || prefix === null)
      return { firstDifference: null, differenceReason: null, prefix: null, prices };
    return {
      firstDifference,
      differenceReason,
      prefix: { ...prefix, changes: [...changes], promptReason },
      prices,
    };
  }

  #tell(): void {
    const { observers, clock } = this.#context;
    const { turnId, purpose, found, systemPrompt, messages, tools } = this.#request;
    const { id: callId, attempts, usage, finishReason, error } = this.#step;
    const content = { systemPrompt, messages, tools, reply: this.#reply.parts };
    observers.tell({
      type: "model-call",
      conversationId: this.#conversation.record.id,
      turnId,
      callId,
      purpose,
      provider: found.provider.id,
      model: found.name,
      serverUrl: this.#url !== null && URL.canParse(this.#url) ? new URL(this.#url).origin : null,
      startedAtMs: this.#startedAtMs,
      firstEventAtMs: this.#firstEventAtMs,
      endedAtMs: clock.now(),
      attempts,
      settings: this.#request.settings ?? {},
      usage,
      finishReason,
      error,
      ...(observers.hasContent ? { content } : {}),
    });
  }

  #firstRecord(): Step {
    const { turnId, purpose, model } = this.#request;
    const { firstDifference, differenceReason, prefix } = measureParts(this.#audited, {
      previous: this.#before,
      current: this.#sent,
    });
    const system = this.#request.systemPrompt.join("\n\n");
    return {
      id: this.#stepId,
      turnId,
      epoch: this.#conversation.record.epoch,
      purpose,
      model,
      startedAt: this.#now(),
      endedAt: null,
      attempts: 0,
      requestSha256: null,
      requestSizeBytes: null,
      systemSha256: system === "" ? null : new Bun.CryptoHasher("sha256").update(system).digest("hex"),
      parts: [...this.#audited.parts],
      firstDifference,
      differenceReason,
      prefix,
      requestTierSha256: this.#sent.requestTierSha256,
      isPromptBuilderAbsent: this.#sent.isBuilderAbsent,
      prices: null,
      usage: null,
      finishReason: null,
      error: null,
    };
  }

  /** With the first request, or with the first event of a provider that records none: one commit for both. */
  #start(writes?: readonly StorageWrite[]): void {
    const { turnId, purpose, model } = this.#request;
    const isShown = purpose === "turn" && !this.#isStarted;
    const events: readonly NewEvent[] = isShown
      ? [{ type: "step-start", turnId, stepId: this.#stepId, model }]
      : [];
    if (this.#isStarted && writes === undefined) return;
    this.#isStarted = true;
    this.#append(events, writes ?? [this.#stepWrite()]);
  }

  #append(events: readonly NewEvent[], writes: readonly StorageWrite[] = []): void {
    this.#stored = this.#conversation.log.show(events, writes).catch((error: unknown) => {
      this.#storageFailure ??= error;
    });
  }

  async #tryUntilDone(): Promise<void> {
    const { settings, clock } = this.#context;
    const { signal, purpose, turnId } = this.#request;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#callModel();
        return;
      } catch (error) {
        this.#start();
        if (!isRetryable(error) || this.#hasShown || attempt >= settings.maxAttempts || signal.aborted) throw error;
        const waitMs = retryDelayMs(attempt, error instanceof StepFailure ? error.failure.retryAfterMs : undefined);
        if (purpose === "turn") {
          const event = {
            type: "step-retry",
            turnId,
            stepId: this.#stepId,
            attempt,
            waitMs,
            error: toFailure(error, this.#context.redactor),
          } as const;
          await this.#conversation.log.append([event]);
        }
        await waitUnlessAborted(waitMs, clock, signal);
        if (signal.aborted) throw error;
      }
    }
  }

  async #callModel(): Promise<void> {
    const { found, model, signal, messages, systemPrompt, tools, settings } = this.#request;
    const events = callModel(this.#context, {
      found,
      model,
      conversationId: this.#conversation.record.id,
      systemPrompt,
      messages,
      tools,
      ...(settings === undefined ? {} : { settings }),
      signal,
      observe: (wire) => this.#observe(wire),
    });
    for await (const event of events) {
      this.#firstEventAtMs ??= this.#context.clock.now();
      if (event.type === "finish") {
        this.#usage = event.usage;
        this.#finishReason = event.finishReason;
        return;
      }
      if (this.#storageFailure !== undefined) throw this.#storageFailure;
      this.#show(event);
      // A model may be faster than the disk.
      if (this.#conversation.log.isBehind) await this.#stored;
    }
  }

  /** Stored before the first byte leaves; what cannot be stored is not sent. */
  async #observe(wire: WireRequest): Promise<void> {
    this.#step = {
      ...this.#step,
      attempts: this.#step.attempts + 1,
      requestSha256: wire.sha256,
      requestSizeBytes: Buffer.byteLength(wire.body),
    };
    this.#measure(wire);
    this.#url = wire.url;
    const conversation = this.#conversation;
    const { writes, onStored } = await this.#record(wire);
    // Only what is stored can be built upon, and only as it was stored last: until then, nobody knows.
    conversation.keptBody = undefined;
    conversation.toldSystemSha256 = undefined;
    this.#start([this.#stepWrite(), ...writes]);
    await this.#stored;
    if (this.#storageFailure !== undefined) throw this.#storageFailure;
    onStored();
    conversation.previousBody = {
      stepId: this.#stepId,
      url: wire.url,
      body: wire.body,
      ...(this.#withoutMarks === undefined ? {} : { withoutMarks: this.#withoutMarks }),
    };
    this.#noteSent();
  }

  async #record(
    wire: WireRequest,
  ): Promise<{ readonly writes: readonly StorageWrite[]; readonly onStored: () => void }> {
    const { redactor, settings } = this.#context;
    if (!settings.records.requests) return { writes: [], onStored: () => undefined };
    const conversation = this.#conversation;
    const { id, toolsSha256 } = conversation.record;
    const { messages, tools, systemPrompt, purpose } = this.#request;
    const newest = await this.#newestKept();
    const told = {
      messageCount: messages.length - (purpose === "compaction" ? 1 : 0),
      toolsSha256: tools.length === 0 ? null : toolsSha256,
      settings: settingsRecordSchema.parse(this.#request.settings ?? {}),
    };
    const request = { conversationId: id, stepId: this.#stepId, wire, told };
    const { writes, kept } = keepRequest(redactor, request, newest ?? undefined);
    const sha256 = this.#sent.parts.find(({ part }) => part === "system")?.sha256 ?? "";
    const texts = { stepId: this.#stepId, texts: systemPrompt, sha256 };
    const system = await keepToldSystem(this.#context, conversation, texts);
    return {
      writes: [...writes, ...system],
      onStored: () => {
        conversation.keptBody = kept;
        conversation.toldSystemSha256 = sha256;
      },
    };
  }

  /** What the next step is held against. */
  #noteSent(): void {
    this.#hasSent = true;
    this.#conversation.previousStep = { stepId: this.#stepId, url: this.#url, ...this.#sent };
  }

  #measure({ url, body }: WireRequest): void {
    const before = this.#previousBody;
    const requests = { previous: this.#before, current: this.#sent };
    const measured =
      before === undefined
        ? measureAddress(this.#audited, { ...requests, before: this.#before?.url ?? null, url })
        : measureBodies(this.#audited, { ...requests, before, body: { url, body } });
    if (measured === undefined) return;
    const { firstDifference, differenceReason, prefix, withoutMarks } = measured;
    this.#withoutMarks = withoutMarks;
    this.#step = { ...this.#step, firstDifference, differenceReason, prefix };
    if (differenceReason === "prompt-rebuilt") this.#lookForChanges(measured.partText);
  }

  #lookForChanges(partText: MeasuredPrefix["partText"]): void {
    this.#surroundings.lookForChanges({
      conversationId: this.#conversation.record.id,
      before: this.#request.audit.promptBefore,
      partText,
    });
  }

  /** The newest request on record: read once after a restart. */
  async #newestKept(): Promise<KeptBody | null> {
    const { record, keptBody } = this.#conversation;
    // While a try waited for the next one, retention may have deleted what the stored body begins with, and written that anew.
    const isTriedAgain = keptBody?.stepId === this.#stepId;
    if (keptBody !== undefined && !isTriedAgain) return keptBody;
    return (this.#conversation.keptBody = (await readNewest(this.#context.storage, record.id)) ?? null);
  }

  /** The body that this one is compared with; read once after a restart. `undefined`: there is none to be had. */
  async #readPreviousBody(): Promise<KnownBody | undefined> {
    const { record, previousBody } = this.#conversation;
    const stepId = this.#before?.stepId;
    if (stepId === undefined || stepId === null) return undefined;
    if (previousBody?.stepId === stepId) return previousBody;
    try {
      const kept = await this.#newestKept();
      const { url, body, redactions } =
        kept?.stepId === stepId
          ? { url: kept.stored.url, body: kept.text, redactions: kept.stored.redactions }
          : await readRequest(this.#context.storage, record.id, stepId);
      // What was left out cannot be compared byte for byte; the hashes of the parts are of what was sent.
      if (redactions.some(({ place }) => place === "body" || place === "url")) return undefined;
      return (this.#conversation.previousBody = { stepId, url, body });
    } catch (error) {
      // Nothing left the host for it, or it is not kept any more: the parts are compared by their hashes.
      this.#context.log.debug("The request before is not on record", {
        stepId,
        error: toFailure(error, this.#context.redactor).code,
      });
      return undefined;
    }
  }

  #show(event: Exclude<ModelReplyEvent, { type: "finish" }>): void {
    const events = this.#reply.take(event);
    this.#hasShown ||= events.length > 0 || event.type === "tool-call";
    const shown = [...this.#begun, ...this.#shown(events)];
    this.#begun = event.type === "text-start" || event.type === "reasoning-start" ? shown : [];
    if (shown.length === this.#begun.length) return;
    this.#start();
    this.#append(shown);
  }

  /** What a compaction says becomes one message, and is not streamed. */
  #shown(events: readonly NewEvent[]): readonly NewEvent[] {
    return this.#request.purpose === "compaction" ? [] : events;
  }

  #stepWrite(): { readonly kind: "set"; readonly key: string; readonly value: Step } {
    return { kind: "set", key: keys.step(this.#conversation.record.id, this.#stepId), value: this.#step };
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}
