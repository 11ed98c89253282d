import { differenceReasonSchema, type AuditedStep, type AuditSummary } from "@incipit/service-contract";
import { shareOf } from "./audited-step.ts";

export const emptySummary: AuditSummary = {
  steps: 0,
  held: 0,
  expected: 0,
  broken: 0,
  reasons: {},
  previousBytes: 0,
  sharedBytes: 0,
  share: null,
  tokens: { input: null, cacheRead: null, cacheWrite: null },
  unreportedSteps: 0,
  inputUsd: null,
  pricedSteps: 0,
  firstStepAt: null,
  lastStepAt: null,
};

/** A summary with one more step, which is newer than all in it. */
export function withStep(summary: AuditSummary, step: AuditedStep): AuditSummary {
  return step.verdict === "unsent" ? summary : sumOf(summary, summaryOf(step));
}

/** Two of them as one. */
export function sumOf(a: AuditSummary, b: AuditSummary): AuditSummary {
  const reasons = { ...a.reasons };
  for (const name of Object.keys(b.reasons)) {
    const reason = differenceReasonSchema.parse(name);
    reasons[reason] = (reasons[reason] ?? 0) + (b.reasons[reason] ?? 0);
  }
  const previousBytes = a.previousBytes + b.previousBytes;
  const sharedBytes = a.sharedBytes + b.sharedBytes;
  return {
    steps: a.steps + b.steps,
    held: a.held + b.held,
    expected: a.expected + b.expected,
    broken: a.broken + b.broken,
    reasons,
    previousBytes,
    sharedBytes,
    share: shareOf(sharedBytes, previousBytes),
    tokens: {
      input: known(a.tokens.input, b.tokens.input),
      cacheRead: known(a.tokens.cacheRead, b.tokens.cacheRead),
      cacheWrite: known(a.tokens.cacheWrite, b.tokens.cacheWrite),
    },
    unreportedSteps: a.unreportedSteps + b.unreportedSteps,
    inputUsd: addedUsd(a.inputUsd, b.inputUsd),
    pricedSteps: a.pricedSteps + b.pricedSteps,
    firstStepAt: earlier(a.firstStepAt, b.firstStepAt),
    lastStepAt: later(a.lastStepAt, b.lastStepAt),
  };
}

function summaryOf({ verdict, reason, prefix, usage, inputUsd, startedAt }: AuditedStep): AuditSummary {
  const { billed = null, withoutCache = 0, unbroken = null } = inputUsd ?? {};
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
    inputUsd: billed === null ? null : { billed, withoutCache, wasted },
    pricedSteps: billed === null ? 0 : 1,
    firstStepAt: startedAt,
    lastStepAt: startedAt,
  };
}

function known(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

type Usd = AuditSummary["inputUsd"];

function addedUsd(a: Usd, b: Usd): Usd {
  if (a === null || b === null) return a ?? b;
  return {
    billed: a.billed + b.billed,
    withoutCache: a.withoutCache + b.withoutCache,
    wasted: a.wasted + b.wasted,
  };
}

function earlier(a: string | null, b: string | null): string | null {
  return a !== null && (b === null || a < b) ? a : b;
}

function later(a: string | null, b: string | null): string | null {
  return a !== null && (b === null || a > b) ? a : b;
}
