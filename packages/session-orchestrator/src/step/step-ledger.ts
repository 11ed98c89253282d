import { sha256Hex } from "@incipit/common";
import { type StorageWrite, type WireRequest, errorMessage } from "@incipit/kernel";
import type {
  Step,
  StepId,
  ModelPrices,
  StepPrefix,
  Explain,
  ModelMessage,
  ModelSettings,
  ToolDefinition,
  TurnId,
} from "@incipit/schema";
import type { SessionRequest } from "@incipit/service-contract";
import type { KnownBody } from "../audit/compare-bodies.ts";
import {
  measureAddress,
  measureBodies,
  measureParts,
  type MeasuredPrefix,
  audit,
  type SentRequest,
  type StepAudit,
} from "../audit/step-audit.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { PreviousStep } from "../records/previous-step.ts";
import { dayLedgerWrites } from "../spending/spend-limits.ts";
import { keys } from "../store/stored.ts";
import { type FoundModel, fetchPrices } from "../models/find-model.ts";
import { inTime } from "../waits/settle.ts";
import { promptChanges, type ChangedPrompt } from "../audit/prompt-changes.ts";
import type { DeferredRange } from "../store/tool-list.ts";
import * as z from "zod";

const settingsRecordSchema = z.record(z.string(), z.json());

export class StepLedger {
  readonly #context: OrchestratorContext;
  readonly #conversation: LoadedConversation;
  readonly #request: StepRequest;
  readonly #previous: PreviousStep | undefined;
  readonly #sent: SentRequest;
  readonly #audited: StepAudit;
  readonly #surroundings: StepSurroundings;
  /** `null`: no recorded body; `undefined`: not yet loaded. */
  #previousBody: KnownBody | null | undefined;
  #hasSent = false;
  #url: string | null = null;
  #step: Step;

  constructor(
    context: OrchestratorContext,
    conversation: LoadedConversation,
    { stepId, request }: { readonly stepId: StepId; readonly request: StepRequest },
  ) {
    this.#context = context;
    this.#conversation = conversation;
    this.#request = request;
    this.#previous = conversation.requests.previousStep;
    this.#sent = {
      ...conversation.requests.hashes.of(request),
      model: request.model,
      isCompaction: request.purpose === "compaction",
      requestTierSha256: request.audit.requestTierSha256,
      isBuilderAbsent: request.audit.isBuilderAbsent,
    };
    this.#audited = audit(this.#previous, this.#sent);
    this.#surroundings = new StepSurroundings(context, request.found);
    this.#step = this.#begun(stepId);
  }

  get write(): StorageWrite {
    return { kind: "set", key: keys.step(this.#conversation.record.id, this.#step.id), value: this.#step };
  }

  /** A request that cannot be stored is not sent. */
  async leaving(
    wire: WireRequest,
    {
      attempt,
      session,
      commit,
    }: {
      readonly attempt: number;
      readonly session: SessionRequest | undefined;
      readonly commit: (writes: readonly StorageWrite[]) => Promise<void>;
    },
  ): Promise<void> {
    const { requests, record } = this.#conversation;
    const { messages, tools, systemPrompt, purpose, settings } = this.#request;
    const requestSizeBytes = Buffer.byteLength(wire.body);
    const instructions = session?.instructions ?? null;
    this.#step = { ...this.#step, attempts: attempt, requestSha256: wire.sha256, requestSizeBytes, instructions };
    if (this.#previousBody === undefined) this.#previousBody = (await requests.previousBody(wire.body)) ?? null;
    const withoutMarks = this.#measure(wire, this.#previousBody, { isWhole: session === undefined });
    this.#url = wire.url;
    const stepId = this.#step.id;
    const told = {
      messageCount: messages.length - (purpose === "compaction" ? 1 : 0),
      toolsSha256: tools.length === 0 ? null : record.toolsSha256,
      settings: settings === undefined ? {} : settingsRecordSchema.parse(settings),
    };
    const sha256 = this.#sent.parts.find(({ part }) => part === "system")?.sha256 ?? "";
    const system = { texts: systemPrompt, sha256 };
    await requests.store({ stepId, wire, told, system }, (writes) => commit([this.write, ...writes]));
    const { url, body } = wire;
    this.#noteSent({ stepId, url, body, ...(withoutMarks === undefined ? {} : { withoutMarks }) });
  }

  /** Counts as sent after a completed reply, also for a provider that records no requests. */
  complete(): void {
    this.#noteSent();
    if (this.#step.differenceReason === "prompt-rebuilt") this.#lookForChanges(undefined);
  }

  /** A step that sent nothing has no prefix and no cache break. */
  async end(end: Pick<Step, "usage" | "estimatedUsage" | "finishReason" | "error">): Promise<Step> {
    const { prices, changes, promptReason } = await this.#surroundings.found();
    const { prefix } = this.#step;
    const found =
      this.#hasSent && prefix !== null
        ? { prefix: { ...prefix, changes: [...changes], promptReason } }
        : { firstDifference: null, differenceReason: null, prefix: null };
    return { ...this.#step, ...found, prices, endedAt: this.#now(), ...end };
  }

  #begun(id: StepId): Step {
    const { turnId, purpose, model, compactionInstructions } = this.#request;
    const requests = { previous: this.#previous, current: this.#sent };
    const { firstDifference, differenceReason, prefix } = measureParts(this.#audited, requests);
    const system = this.#request.systemPrompt.join("\n\n");
    return {
      id,
      turnId,
      epoch: this.#conversation.record.epoch,
      purpose,
      model,
      startedAt: this.#now(),
      endedAt: null,
      attempts: 0,
      requestSha256: null,
      requestSizeBytes: null,
      systemSha256: system === "" ? null : sha256Hex(system),
      parts: [...this.#audited.parts],
      firstDifference,
      differenceReason,
      prefix,
      requestTierSha256: this.#sent.requestTierSha256,
      isPromptBuilderAbsent: this.#sent.isBuilderAbsent,
      instructions: null,
      prices: null,
      usage: null,
      finishReason: null,
      error: null,
      ...(compactionInstructions === undefined ? {} : { compactionInstructions }),
    };
  }

  #noteSent(body?: KnownBody): void {
    this.#hasSent = true;
    this.#conversation.requests.sent({ stepId: this.#step.id, url: this.#url, ...this.#sent }, body);
  }

  #measure(
    { url, body }: WireRequest,
    before: KnownBody | null,
    { isWhole }: { readonly isWhole: boolean },
  ): string | undefined {
    const requests = { previous: this.#previous, current: this.#sent };
    const measured =
      before === null || !isWhole
        ? measureAddress(this.#audited, { ...requests, before: before?.url ?? this.#previous?.url ?? null, url })
        : measureBodies(this.#audited, { ...requests, before, body: { url, body } });
    if (measured === undefined) return undefined;
    const { firstDifference, differenceReason, prefix, withoutMarks, partText } = measured;
    this.#step = { ...this.#step, firstDifference, differenceReason, prefix };
    if (differenceReason === "prompt-rebuilt") this.#lookForChanges(partText);
    return withoutMarks;
  }

  #lookForChanges(partText: MeasuredPrefix["partText"]): void {
    this.#surroundings.lookForChanges({
      conversationId: this.#conversation.record.id,
      before: this.#request.audit.promptBefore,
      partText,
    });
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}

type Changes = Pick<StepPrefix, "changes" | "promptReason">;

const noChanges: Changes = { changes: [], promptReason: null };

class StepSurroundings {
  readonly #context: OrchestratorContext;
  readonly #asked: Promise<ModelPrices | null>;
  #prices: ModelPrices | null | undefined;
  #changes: Promise<Changes> | undefined;

  constructor(context: OrchestratorContext, found: FoundModel) {
    this.#context = context;
    this.#asked = fetchPrices(context, found).then((prices) => (this.#prices = prices));
  }

  lookForChanges(changed: ChangedPrompt): void {
    const service = this.#context.systemPrompt.current;
    if (service !== undefined) this.#changes ??= this.#orNone(() => promptChanges(service, changed));
  }

  /** Late facts are `null`. Never rejects. */
  async found(): Promise<Changes & { readonly prices: ModelPrices | null }> {
    const [prices, changes] = await Promise.all([
      this.#prices === undefined ? inTime(this.#context, this.#asked, null) : this.#prices,
      this.#changes === undefined ? noChanges : inTime(this.#context, this.#changes, noChanges),
    ]);
    return { ...changes, prices };
  }

  /** Returns no changes on a failure, which is logged: the step is recorded without them. */
  async #orNone(ask: () => Promise<Changes>): Promise<Changes> {
    try {
      return await ask();
    } catch (error) {
      this.#context.log.warn("What changed in a prompt could not be told", { error: errorMessage(error) });
      return noChanges;
    }
  }
}

export interface StepRequest {
  readonly turnId: TurnId;
  readonly purpose: Step["purpose"];
  readonly found: FoundModel;
  readonly cwd: string;
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly deferred: DeferredRange | undefined;
  readonly settings?: ModelSettings;
  readonly compactionInstructions?: string;
  readonly audit: Pick<SentRequest, "requestTierSha256" | "isBuilderAbsent"> & {
    readonly promptBefore?: Explain | undefined;
  };
  readonly signal: AbortSignal;
}

/** Returns the writes to commit with the end of a step. */
export async function stepEndWrites(
  { record, stepSum, requests }: LoadedConversation,
  step: Step,
): Promise<readonly StorageWrite[]> {
  return [
    { kind: "set", key: keys.step(record.id, step.id), value: step },
    ...(await stepSum.writesWith(step)),
    ...dayLedgerWrites(step),
    ...requests.sentWrites,
  ];
}
