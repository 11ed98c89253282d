import { addAuditSummaries, type AuditedStep, type AuditSummary } from "@incipit/schema";

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
