import type { Storage, StorageWrite } from "@incipit/kernel";
import {
  auditSummarySchema,
  emptyAuditSummary,
  lazySchema,
  stepIdSchema,
  stepSchema,
  type AuditSummary,
  type Step,
  addAuditSummaries,
  type AuditedStep,
  inputUsd,
} from "@incipit/schema";
import { skipInvalid } from "../store/read-page.ts";
import { keys } from "../store/stored.ts";
import { warningOf } from "./step-warning.ts";
import * as z from "zod";

const storedSummarySchema = lazySchema(() => z.object({ lastStepId: stepIdSchema, summary: auditSummarySchema }));
type StoredSummary = z.infer<typeof storedSummarySchema>;
const lastStepSchema = lazySchema(() => z.looseObject({ lastStepId: z.string() }));

/** In memory, so that the cost per step is constant. */
export class StepSum {
  readonly #storage: Storage;
  readonly #conversationId: string;
  #newest: StoredSummary | undefined;
  #isStored = false;

  constructor(storage: Storage, conversationId: string) {
    this.#storage = storage;
    this.#conversationId = conversationId;
  }

  /**
   * Commit with the end of a step. None when earlier steps are not summarized, as in an imported conversation: see
   * `readSummary`.
   */
  async writesWith(step: Step): Promise<readonly StorageWrite[]> {
    const key = keys.audit(this.#conversationId);
    try {
      const stored = await this.#readNewest(key);
      if (stored === undefined && !(await isFirst(this.#storage, this.#conversationId, step))) return [];
      if (stored !== undefined && stored.lastStepId >= step.id) return [];
      const summary = withStep(stored?.summary ?? emptyAuditSummary, auditedStep(step));
      this.#newest = { lastStepId: step.id, summary };
      this.#isStored = false;
      return [{ kind: "set", key, value: this.#newest }];
    } catch {
      return [{ kind: "delete", key }];
    }
  }

  /** Call after the writes of the newest step are committed. */
  stored(): void {
    this.#isStored = true;
  }

  /** A summary whose commit was not confirmed may differ from the stored one. */
  async #readNewest(key: string): Promise<StoredSummary | undefined> {
    const known = this.#newest;
    if (this.#isStored && known !== undefined) return known;
    if (known === undefined) return this.#storage.get(key, storedSummarySchema);
    const stored = await this.#storage.get(key, lastStepSchema);
    return stored?.lastStepId === known.lastStepId ? known : this.#storage.get(key, storedSummarySchema);
  }
}

async function isFirst(storage: Storage, conversationId: string, step: Step): Promise<boolean> {
  const own = keys.step(conversationId, step.id);
  const [first = { key: own }] = await storage.list({ prefix: keys.steps(conversationId), limit: 1 }, z.unknown());
  return first.key === own;
}

interface FoundSummary {
  readonly summary: AuditSummary;
  readonly readSteps: number;
}

/** The ids must be adjacent in key order. */
export async function storedSummaries(
  storage: Storage,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AuditSummary>> {
  const [first, last] = [ids.toSorted()[0], ids.toSorted().at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const range = { start: keys.audit(first), end: `${keys.audit(last)}~`, limit: ids.length, ...skipInvalid };
  const found = await storage.list(range, storedSummarySchema);
  return new Map(found.map(({ key, value }) => [key.slice(keys.audit("").length), value.summary]));
}

export async function readSummary(storage: Storage, conversationId: string): Promise<FoundSummary> {
  const key = keys.audit(conversationId);
  const kept = await storage.get(key, storedSummarySchema).catch(() => undefined);
  if (kept !== undefined) return { summary: kept.summary, readSteps: 0 };
  const conversation = await storage.getVersioned(keys.conversation(conversationId), z.unknown());
  const nextEvent = await nextEventKey(storage, conversationId);
  let summary = emptyAuditSummary;
  let last: Step | undefined;
  let readSteps = 0;
  let isOpen = false;
  for await (const { value: step } of storage.entries(keys.steps(conversationId), stepSchema, skipInvalid)) {
    readSteps += 1;
    isOpen ||= step.endedAt === null;
    if (isOpen) continue;
    summary = withStep(summary, auditedStep(step));
    last = step;
  }
  if (last === undefined || isOpen || conversation === undefined) return { summary, readSteps };
  // A concurrent step adds an event, a deletion removes the record; nothing is stored then.
  const checks = [
    { key: keys.conversation(conversationId), version: conversation.version },
    { key: nextEvent, version: null },
  ];
  await storage.atomic(checks, [{ kind: "set", key, value: { lastStepId: last.id, summary } }]);
  return { summary, readSteps };
}

async function nextEventKey(storage: Storage, conversationId: string): Promise<string> {
  const prefix = keys.events(conversationId);
  const [newest] = await storage.list({ prefix, reverse: true, limit: 1 }, z.unknown());
  return keys.event(conversationId, newest === undefined ? 1 : Number(newest.key.slice(prefix.length)) + 1);
}

/** `step` must be newer than all others. */
export function withStep(summary: AuditSummary, step: AuditedStep): AuditSummary {
  return step.verdict === "unsent" ? summary : addAuditSummaries(summary, summaryOf(step));
}

function summaryOf({ verdict, reason, prefix, usage, inputUsd, startedAt }: AuditedStep): AuditSummary {
  const { billed = null, isAtMost, withoutCache = 0, unbroken = null } = inputUsd ?? {};
  const wasted = verdict === "broken" && billed !== null && unbroken !== null ? Math.max(0, billed - unbroken) : 0;
  return {
    steps: 1,
    held: verdict === "held" ? 1 : 0,
    expected: verdict === "expected" ? 1 : 0,
    broken: verdict === "broken" ? 1 : 0,
    reasons: reason === null ? {} : { [reason]: 1 },
    previousBytes: prefix?.previousBytes ?? 0,
    sharedBytes: prefix?.sharedBytes ?? 0,
    share: null,
    tokens: {
      input: usage?.inputTokens ?? null,
      cacheRead: usage?.cacheReadTokens ?? null,
      cacheWrite: usage?.cacheWriteTokens ?? null,
    },
    unreportedSteps: usage === null || usage.inputTokens === null ? 1 : 0,
    inputUsd: billed === null ? null : { billed, ...(isAtMost === true ? { isAtMost } : {}), withoutCache, wasted },
    pricedSteps: billed === null ? 0 : 1,
    firstStepAt: startedAt,
    lastStepAt: startedAt,
  };
}

export function auditedStep(step: Step): AuditedStep {
  const {
    id,
    turnId,
    epoch,
    purpose,
    model,
    startedAt,
    usage,
    differenceReason: reason,
    prefix,
    unaskedCalls,
  } = step;
  const verdict = verdictOf(step);
  return {
    id,
    turnId,
    epoch,
    purpose,
    model,
    startedAt,
    usage,
    verdict,
    reason,
    share: shareOf(prefix?.sharedBytes, prefix?.previousBytes),
    prefix,
    inputUsd: inputCost(step),
    warning: verdict === "broken" ? warningOf(step) : null,
    ...(unaskedCalls === undefined ? {} : { unaskedCalls }),
  };
}

function shareOf(sharedBytes = 0, previousBytes: number | null = null): number | null {
  return previousBytes === null || previousBytes === 0 ? null : Math.min(1, sharedBytes / previousBytes);
}

function verdictOf({ differenceReason, prefix, requestSha256, error }: Step): AuditedStep["verdict"] {
  if (requestSha256 === null && error !== null) return "unsent";
  switch (differenceReason) {
    case null:
      return "held";
    case "first-step":
      return "first";
    case "compaction":
      return "expected";
    case "prompt-rebuilt":
      return prefix?.promptReason === "rebuild" ? "expected" : "broken";
    case "model-changed":
    case "provider-changed":
    case "tools-changed":
    case "request-tier":
    case "prompt-builder-absent":
    case "history-edited":
    case "unknown":
      return "broken";
  }
}

const tokensOfPrice = 1_000_000;

export function inputCost({
  prices: known,
  usage,
  prefix,
}: Pick<Step, "prices" | "usage" | "prefix">): AuditedStep["inputUsd"] {
  const inputTokens = usage?.inputTokens ?? null;
  const cost = known === null ? undefined : inputUsd(known, usage);
  if (cost === undefined || usage === null || inputTokens === null) return null;
  const { usd: billed, withoutCache, isAtMost, prices } = cost;
  const told = { billed, ...(isAtMost ? { isAtMost: true as const } : {}), withoutCache };
  if (isAtMost || prefix === null || prefix.previousBytes === null || prefix.sizeBytes === 0)
    return { ...told, unbroken: null };
  const usd = (tokens: number, price: number): number => (tokens * price) / tokensOfPrice;
  const readable = Math.round(inputTokens * Math.min(1, prefix.previousBytes / prefix.sizeBytes));
  const restPrice = (usage.cacheWriteTokens ?? 0) > 0 ? (prices.cacheWrite ?? prices.input) : prices.input;
  const readPrice = prices.cacheRead ?? prices.input;
  return { ...told, unbroken: usd(readable, readPrice) + usd(inputTokens - readable, restPrice) };
}
