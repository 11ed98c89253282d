import type { AuditedStep, Step } from "@incipit/schema";
import { inputCost } from "./input-cost.ts";
import { warningOf } from "./step-warning.ts";

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
