import type { Storage, StorageWrite } from "@incipit/kernel";
import {
  auditSummarySchema,
  emptyAuditSummary,
  lazySchema,
  stepIdSchema,
  stepSchema,
  type AuditSummary,
  type Step,
} from "@incipit/schema";
import * as z from "zod";
import { skipInvalid } from "../store/skip-invalid.ts";
import { keys } from "../store/stored.ts";
import { auditedStep } from "./audited-step.ts";
import { withStep } from "./audit-summary.ts";

/** A conversation's steps, added up until the newest that has ended. */
const storedSummarySchema = lazySchema(() => z.object({ lastStepId: stepIdSchema, summary: auditSummarySchema }));
type StoredSummary = z.infer<typeof storedSummarySchema>;
/** Enough to tell which one is stored: all of it is only read where it is not known. */
const lastStepSchema = lazySchema(() => z.looseObject({ lastStepId: z.string() }));

/** The steps of a conversation, added up as they end; the newest sum is in memory, so that a step costs the same whatever is in it. */
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
   * What is stored with the end of a step, in its commit, so that nobody has to read all steps to add them up. Where the sum
   * of the steps before is not there, in a conversation of an earlier version or one that was imported, whoever asks makes it.
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
      return [{ kind: "delete", key }]; // It cannot be read: it is made anew when somebody asks.
    }
  }

  /** The commit with the writes of the newest step is there. */
  stored(): void {
    this.#isStored = true;
  }

  /** One in memory that nobody has called stored may not be: then storage has another. */
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

export interface FoundSummary {
  readonly summary: AuditSummary;
  /** Steps that were read for it. */
  readonly readSteps: number;
}

/** The sums that are stored of a page of conversations, by their ids, which follow each other in the order of the keys. */
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

/** The sum of a conversation's steps; made from them where there is none, and kept from then on. */
export async function readSummary(storage: Storage, conversationId: string): Promise<FoundSummary> {
  const key = keys.audit(conversationId);
  const kept = await storage.get(key, storedSummarySchema).catch(() => undefined); // Damaged: made anew.
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
  // A step that begins meanwhile has an event, and a conversation that is deleted has no record: then nothing is kept yet.
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
