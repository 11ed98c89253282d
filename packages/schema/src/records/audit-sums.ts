import { differenceReasonSchema } from "../calls/step-prefix.ts";
import type { AuditSummary } from "./audit.ts";

/** Neutral element of `addAuditSummaries`. */
export const emptyAuditSummary: AuditSummary = {
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

/** Adds two summaries, such as those of two pages. */
export function addAuditSummaries(a: AuditSummary, b: AuditSummary): AuditSummary {
  const reasons: AuditSummary["reasons"] = {};
  for (const reason of differenceReasonSchema.options) {
    const times = (a.reasons[reason] ?? 0) + (b.reasons[reason] ?? 0);
    if (times > 0) reasons[reason] = times;
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
    share: previousBytes === 0 ? null : Math.min(1, sharedBytes / previousBytes),
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

/** Stored vendor counts are unbounded: keep the sum a safe integer. */
function known(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : Math.min((a ?? 0) + (b ?? 0), Number.MAX_SAFE_INTEGER);
}

type Usd = AuditSummary["inputUsd"];

function addedUsd(a: Usd, b: Usd): Usd {
  if (a === null || b === null) return a ?? b;
  return {
    billed: a.billed + b.billed,
    ...(a.isAtMost === true || b.isAtMost === true ? { isAtMost: true } : {}),
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
