import {
  callCost,
  modelCallSchema,
  stepSchema,
  type Cost,
  type CostsQuery,
  type ModelCall,
  type Step,
} from "@incipit/schema";
import type { CostsPage } from "@incipit/service-contract";
import { auditedStep, storedSummaries } from "../audit/step-sum.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { readSpendLimits } from "../spending/spend-limits.ts";
import { callKeys, keys, type StoredConversation } from "../store/stored.ts";
import { skipInvalid } from "../store/read-page.ts";
import { recordsBefore } from "./filtered-records.ts";

const maxConversations = 1_000;
const maxCalls = 2_000;
const pageSize = 100;
const defaultDays = 30;
const dayMs = 86_400_000;

interface Budget {
  conversations: number;
  calls: number;
}

interface Range {
  readonly since: string;
  readonly until: string | undefined;
}

/**
 * Conversations from newest to oldest, then stateless calls. A page scans a bounded number of records, and may split
 * a day.
 */
export async function readCosts(context: OrchestratorContext, query: CostsQuery): Promise<CostsPage> {
  const limits = await readSpendLimits(context);
  const { until, zone, cursor = "" } = query;
  const since = query.since ?? new Date(context.clock.now() - defaultDays * dayMs).toISOString();
  const range = { since, until };
  const sums = new Sums(zone);
  const budget = { conversations: maxConversations, calls: maxCalls };
  const [part, id, stepId] = cursor.split(":");
  const conversationsEnd =
    part === "calls" ? undefined : await addConversations(context, { range, sums, budget, id, stepId });
  if (conversationsEnd !== undefined) return { items: sums.all(), limits, nextCursor: conversationsEnd };
  const callsEnd = await addCalls(context, { range, sums, budget, id: part === "calls" ? id : undefined });
  return { items: sums.all(), limits, ...(callsEnd === undefined ? {} : { nextCursor: callsEnd }) };
}

interface Looking {
  readonly range: Range;
  readonly sums: Sums;
  readonly budget: Budget;
  readonly id: string | undefined;
}

async function addConversations(
  context: OrchestratorContext,
  { range, sums, budget, id, stepId }: Looking & { readonly stepId: string | undefined },
): Promise<string | undefined> {
  // Includes the partially scanned conversation itself.
  let before = stepId === undefined ? id : `${id}~`;
  for (;;) {
    const { records, oldest } = await recordsBefore(context, before, pageSize);
    const known = await withServiceErrors(() =>
      storedSummaries(
        context.storage,
        records.map((record) => record.id),
      ),
    );
    for (const record of records) {
      if (budget.conversations <= 0) return before === undefined ? undefined : `conversations:${before}`;
      budget.conversations -= 1;
      const lastStepAt = known.get(record.id)?.lastStepAt;
      if (lastStepAt === undefined || lastStepAt === null || lastStepAt >= range.since) {
        const from = record.id === id ? stepId : undefined;
        const left = await addSteps(context, { range, sums, budget, record, before: from });
        if (left !== undefined) return `conversations:${record.id}:${left}`;
      }
      before = record.id;
    }
    before = oldest;
    if (before === undefined) return undefined;
  }
}

/** Scans newest first until `since`. @returns the last scanned id, or `undefined` at the end. */
async function addSteps(
  { storage }: OrchestratorContext,
  {
    range,
    sums,
    budget,
    record,
    before,
  }: Omit<Looking, "id"> & { readonly record: StoredConversation; readonly before: string | undefined },
): Promise<string | undefined> {
  const start = keys.steps(record.id);
  let end = before === undefined ? `${start}~` : keys.step(record.id, before);
  for (;;) {
    const page = await withServiceErrors(() =>
      storage.list({ start, end, reverse: true, limit: pageSize, ...skipInvalid }, stepSchema),
    );
    for (const { key, value: step } of page) {
      if (step.startedAt < range.since) return undefined;
      budget.calls -= 1;
      if (isBefore(step, range)) sums.addStep(step, record);
      if (budget.calls <= 0) return key.slice(start.length);
    }
    const oldest = page.at(-1);
    if (oldest === undefined) return undefined;
    end = oldest.key;
  }
}

async function addCalls(
  { storage }: OrchestratorContext,
  { range, sums, budget, id }: Looking,
): Promise<string | undefined> {
  const start = callKeys.calls;
  let end = callKeys.call(id ?? "~");
  for (;;) {
    const page = await withServiceErrors(() =>
      storage.list({ start, end, reverse: true, limit: pageSize, ...skipInvalid }, modelCallSchema),
    );
    for (const { key, value: call } of page) {
      if (call.startedAt < range.since) return undefined;
      if (budget.calls <= 0) return end === callKeys.call("~") ? "calls" : `calls:${end.slice(start.length)}`;
      budget.calls -= 1;
      if (isBefore(call, range)) sums.addCall(call);
      end = key;
    }
    if (page.length === 0) return undefined;
  }
}

function isBefore({ startedAt }: { readonly startedAt: string }, { until }: Range): boolean {
  return until === undefined || startedAt < until;
}

class Sums {
  readonly #days: Intl.DateTimeFormat;
  readonly #byKey = new Map<string, Cost>();

  constructor(zone: string) {
    // The Swedish date format equals ISO 8601.
    this.#days = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  }

  all(): Cost[] {
    return [...this.#byKey.values()];
  }

  addStep(step: Step, { id, title }: StoredConversation): void {
    const { verdict, inputUsd } = auditedStep(step);
    if (verdict === "unsent") return;
    const { billed = null, unbroken = null } = inputUsd ?? {};
    const isBroken = verdict === "broken";
    const wasted = isBroken && billed !== null && unbroken !== null ? Math.max(0, billed - unbroken) : 0;
    this.#add(step, { conversation: { id, title }, broken: isBroken ? 1 : 0, wasted });
  }

  addCall(call: ModelCall): void {
    if (call.attempts > 0) this.#add(call, { conversation: null, broken: 0, wasted: 0 });
  }

  #add(
    { startedAt, model, usage, prices }: Pick<Step, "startedAt" | "model" | "usage" | "prices">,
    one: Pick<Cost, "conversation" | "broken"> & { readonly wasted: number },
  ): void {
    const { conversation, broken, wasted } = one;
    const day = this.#days.format(new Date(startedAt));
    const key = [day, model, conversation?.id ?? ""].join("\n");
    const sum: Cost = this.#byKey.get(key) ?? { day, model, conversation, ...nothing };
    const cost = callCost(prices, usage);
    const total = cost.kind === "known" ? cost.usd : null;
    const isAtMost = sum.usd.isAtMost === true || (cost.kind === "known" && cost.isAtMost);
    this.#byKey.set(key, {
      ...sum,
      calls: sum.calls + 1,
      broken: sum.broken + broken,
      tokens: {
        input: counted(sum.tokens.input, usage?.inputTokens),
        cacheRead: counted(sum.tokens.cacheRead, usage?.cacheReadTokens),
        output: counted(sum.tokens.output, usage?.outputTokens),
      },
      unreported: sum.unreported + (usage === null || usage.inputTokens === null ? 1 : 0),
      usd: {
        total: sum.usd.total + (total ?? 0),
        wasted: sum.usd.wasted + (total === null ? 0 : wasted),
        ...(isAtMost ? { isAtMost } : {}),
      },
      unpriced: sum.unpriced + (total === null ? 1 : 0),
    });
  }
}

const nothing = {
  calls: 0,
  broken: 0,
  tokens: { input: 0, cacheRead: 0, output: 0 },
  unreported: 0,
  usd: { total: 0, wasted: 0 },
  unpriced: 0,
} satisfies Partial<Cost>;

/** Clamps invalid counts of a vendor. */
function counted(sum: number, tokens: number | null | undefined): number {
  return Math.min(sum + Math.max(0, tokens ?? 0), Number.MAX_SAFE_INTEGER);
}
