import { type AuditedStep, type Step, inputUsd } from "@incipit/schema";
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
