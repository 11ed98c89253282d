import type { Storage } from "@incipit/kernel";
import { stepIdSchema, stepSchema, type Step, type StepId } from "@incipit/schema";
import * as z from "zod";
import { skipInvalid } from "../store/skip-invalid.ts";
import { partsBeforeMessages, sizeOf, type PartHash, type SentRequest } from "../audit/step-audit.ts";
import { MessagesHash } from "./messages-hash.ts";
import { forkBaseSchema, keys, sentPartsSchema, type ForkBase, type StoredConversation } from "../store/stored.ts";

/** What the step before sent: what the next one is held against. */
export interface PreviousStep extends SentRequest {
  /** `null`: a conversation sent it that this one was forked from. */
  readonly stepId: string | null;
  /** Where it went; `null`: as the record of its request has it. */
  readonly url: string | null;
}

export interface PreviousSteps {
  readonly newestStepId: StepId | undefined;
  /** Whether there were model calls, its source's among them. */
  readonly hasSteps: boolean;
  readonly previousStep: PreviousStep | undefined;
  /** Hash of its messages, where one was made: it goes on from them. */
  readonly messagesHash?: MessagesHash;
}

/** Steps that are looked at together. */
const pageSize = 200;
/** Steps that sent nothing come few in a row. */
const fewSteps = 5;

/**
 * What the newest step of a conversation that sent anything had sent, from the records of the steps; for a fork without one,
 * what its source had sent until then. Nothing of it is lost over a restart: the next step has the same reason with one and
 * without.
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
  // Its key tells that there was a call: whatever has become of the record, the prompt is kept.
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
  // What no step of this conversation has recorded its source had sent; after that, what is lost is taken to be as it is.
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
    // Of an epoch before: whatever has become of the record of the compaction.
    isCompaction: step.purpose === "compaction" || step.epoch < record.epoch,
    requestTierSha256: tierOf(
      step.requestTierSha256,
      step.prefix === null && step.differenceReason === "request-tier",
    ),
    isBuilderAbsent: step.isPromptBuilderAbsent,
  };
}

/**
 * The newest step that sent anything and its parts, where it is stored what these were and the history still begins with its
 * messages: then no step before it has to be read.
 */
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

/** What left the host, or was answered by a provider that records nothing. */
function hasSent({ requestSha256, endedAt, error }: Step): boolean {
  return requestSha256 !== null || (endedAt !== null && error === null);
}

/** The parts of the newest step that sent anything. A part is on record with the step that was the first to send it. */
class SentParts {
  readonly #parts = new Map<string, PartHash>();
  /** Number of the step's messages; `undefined`: all were sent before it. */
  #messageCount: number | undefined;
  step: Step | undefined;

  get isWhole(): boolean {
    const count = this.#messageCount;
    return count !== undefined && this.#parts.size >= count + 2 && this.#missing(count).length === 0;
  }

  /** Newest first. */
  take(step: Step): void {
    if (!hasSent(step)) return;
    this.step ??= step;
    const last = step.parts.at(-1);
    if (last !== undefined) this.#messageCount ??= numberOf(last.part) + 1;
    for (const part of step.parts) if (!this.#parts.has(part.part)) this.#parts.set(part.part, part);
  }

  /** With what is known of those that are not on record; `undefined`: one is not known at all. */
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

/** -1 for what is no message. */
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

/** Hash of the request tier's texts; a record that tells only that there were some matches no others. */
function tierOf(sha256: string | null, hasRequestTier: boolean): string | null {
  return sha256 ?? (hasRequestTier ? "not recorded" : null);
}
