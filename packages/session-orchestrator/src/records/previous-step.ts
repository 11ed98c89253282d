import type { Storage } from "@incipit/kernel";
import { stepIdSchema, stepSchema, type Step, type StepId } from "@incipit/schema";
import { skipInvalid } from "../store/read-page.ts";
import { partsBeforeMessages, sizeOf, type PartHash, type SentRequest, MessagesHash } from "../audit/step-audit.ts";
import { forkBaseSchema, keys, sentPartsSchema, type ForkBase, type StoredConversation } from "../store/stored.ts";
import * as z from "zod";

export interface PreviousStep extends SentRequest {
  /** `null`: sent by the conversation from which this one was forked. */
  readonly stepId: string | null;
  readonly url: string | null;
}

export interface PreviousSteps {
  readonly newestStepId: StepId | undefined;
  /** Includes calls of a fork's source. */
  readonly hasSteps: boolean;
  readonly previousStep: PreviousStep | undefined;
  readonly messagesHash?: MessagesHash;
}

const pageSize = 200;
/** Number of steps read at once. One read mostly suffices, because few consecutive steps send no request. */
const fewSteps = 5;

/**
 * For a fork without requests, from the source's records. Independent of restarts, so that differences keep their
 * reasons.
 */
export async function readPreviousStep(
  storage: Storage,
  record: StoredConversation,
  hashMessages: () => readonly PartHash[],
): Promise<PreviousSteps> {
  const prefix = keys.steps(record.id);
  const [newest] = await storage.list({ prefix, reverse: true, limit: 1 }, z.unknown());
  const base = record.forkedFrom === null ? undefined : await storage.get(keys.forkBase(record.id), forkBaseSchema);
  const before = base?.previousStep ?? undefined;
  const ofSource = before === undefined ? undefined : sentBySource(before, hashMessages);
  // The key alone proves a model call; its record may be damaged.
  const newestStepId = newest === undefined ? undefined : stepIdSchema.parse(newest.key.slice(prefix.length));
  const hasSteps = newest !== undefined || base?.hasSteps === true;
  const known = await knownSteps(storage, record, hashMessages);
  if (known !== undefined && newestStepId !== undefined) {
    const { step, parts, messagesHash } = known;
    return { newestStepId, hasSteps, previousStep: previousOf(step, { record, parts }), messagesHash };
  }
  const sent = new SentParts();
  for (let end = `${prefix}~`; !sent.isWhole;) {
    const page = await storage.list(
      { start: prefix, end, reverse: true, limit: pageSize, ...skipInvalid },
      stepSchema,
    );
    for (const { value } of page) sent.take(value);
    const oldest = page.at(-1);
    if (oldest === undefined) break;
    end = oldest.key;
  }
  const { step } = sent;
  if (step === undefined) return { newestStepId, hasSteps, previousStep: ofSource };
  // Parts recorded by no step come from the fork's source; missing ones are assumed unchanged.
  const others = [ofSource?.parts ?? [], step.epoch === record.epoch ? messageParts(hashMessages()) : []];
  const parts = sent.partsWith(others.flat());
  if (parts === undefined) return { newestStepId, hasSteps, previousStep: undefined };
  return { newestStepId, hasSteps, previousStep: previousOf(step, { record, parts }) };
}

function previousOf(
  step: Step,
  { record, parts }: { readonly record: StoredConversation; readonly parts: readonly PartHash[] },
): PreviousStep {
  return {
    stepId: step.id,
    url: null,
    parts,
    sizeBytes: sizeOf(parts),
    model: step.model,
    // Earlier epochs ended with a compaction, even if its record is damaged.
    isCompaction: step.purpose === "compaction" || step.epoch < record.epoch,
    requestTierSha256: tierOf(
      step.requestTierSha256,
      step.prefix === null && step.differenceReason === "request-tier",
    ),
    isBuilderAbsent: step.isPromptBuilderAbsent,
  };
}

/** From the stored summary, if the history still matches; then no earlier step is read. */
async function knownSteps(
  storage: Storage,
  { id }: StoredConversation,
  hashMessages: () => readonly PartHash[],
): Promise<
  { readonly step: Step; readonly parts: readonly PartHash[]; readonly messagesHash: MessagesHash } | undefined
> {
  const stored = await storage.get(keys.sentParts(id), sentPartsSchema).catch(() => undefined);
  if (stored === undefined) return undefined;
  const range = { prefix: keys.steps(id), reverse: true, limit: fewSteps, ...skipInvalid };
  const step = (await storage.list(range, stepSchema)).map(({ value }) => value).find(hasSent);
  if (step?.id !== stored.stepId) return undefined;
  const { tools, system, messageCount, messagesSha256 } = stored;
  const parts = [tools, system, ...hashMessages().slice(0, messageCount)];
  if (parts.length !== messageCount + partsBeforeMessages) return undefined;
  const messagesHash = new MessagesHash();
  return messagesHash.of(parts) === messagesSha256 ? { step, parts, messagesHash } : undefined;
}

/** Sent, or answered by a provider without recorded requests. */
function hasSent({ requestSha256, endedAt, error }: Step): boolean {
  return requestSha256 !== null || (endedAt !== null && error === null);
}

/** Each part is recorded by the step that first sent it. */
class SentParts {
  readonly #parts = new Map<string, PartHash>();
  #messageCount: number | undefined;
  step: Step | undefined;

  get isWhole(): boolean {
    const count = this.#messageCount;
    return count !== undefined && this.#parts.size >= count + 2 && this.#missing(count).length === 0;
  }

  /** Call with the newest step first. */
  take(step: Step): void {
    if (!hasSent(step)) return;
    this.step ??= step;
    const last = step.parts.at(-1);
    if (last !== undefined) this.#messageCount ??= numberOf(last.part) + 1;
    for (const part of step.parts) if (!this.#parts.has(part.part)) this.#parts.set(part.part, part);
  }

  partsWith(known: readonly PartHash[]): readonly PartHash[] | undefined {
    const count = this.#messageCount ?? 0;
    for (const name of this.#missing(count)) {
      const found = known.find(({ part }) => part === name);
      if (found === undefined) return undefined;
      this.#parts.set(name, found);
    }
    return namesOf(count).flatMap((name) => this.#parts.get(name) ?? []);
  }

  #missing(count: number): readonly string[] {
    return namesOf(count).filter((name) => !this.#parts.has(name));
  }
}

function namesOf(messageCount: number): readonly string[] {
  return ["tools", "system", ...Array.from({ length: messageCount }, (_, index) => `message:${index}`)];
}

function numberOf(part: string): number {
  return part.startsWith("message:") ? Number(part.slice("message:".length)) : -1;
}

function messageParts(parts: readonly PartHash[]): readonly PartHash[] {
  return parts.filter(({ part }) => numberOf(part) !== -1);
}

function sentBySource(
  before: NonNullable<ForkBase["previousStep"]>,
  hashMessages: () => readonly PartHash[],
): PreviousStep {
  const { tools, system, sentMessages, model, url, hasRequestTier, requestTierSha256, isBuilderAbsent } = before;
  const parts = [tools, system, ...(before.messages ?? hashMessages().slice(0, sentMessages))];
  return {
    stepId: null,
    url,
    parts,
    sizeBytes: sizeOf(parts),
    model,
    isCompaction: false,
    requestTierSha256: tierOf(requestTierSha256, hasRequestTier),
    isBuilderAbsent,
  };
}

/** A record without the hash matches no other. */
function tierOf(sha256: string | null, hasRequestTier: boolean): string | null {
  return sha256 ?? (hasRequestTier ? "not recorded" : null);
}
