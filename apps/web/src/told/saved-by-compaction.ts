import type { AuditedStep, Step } from "@incipit/schema";

export interface SavedByCompaction {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  readonly tokens: number | undefined;
}

/** Removed by the compaction that started the step's epoch. */
export function savedByCompaction(
  { epoch }: Pick<Step, "epoch">,
  steps: readonly AuditedStep[],
): SavedByCompaction | undefined {
  const sent = steps.filter(({ purpose, prefix }) => purpose === "turn" && prefix !== null);
  const before = sent.findLast((step) => step.epoch < epoch);
  const after = sent.find((step) => step.epoch === epoch);
  const [beforeBytes = 0, afterBytes = 0] = [before?.prefix?.sizeBytes, after?.prefix?.sizeBytes];
  if (after === undefined || beforeBytes <= afterBytes) return undefined;
  const [tokensBefore, tokensAfter] = [before?.usage?.inputTokens ?? null, after.usage?.inputTokens ?? null];
  const isCounted = tokensBefore !== null && tokensAfter !== null && tokensBefore > tokensAfter;
  return { beforeBytes, afterBytes, tokens: isCounted ? tokensBefore - tokensAfter : undefined };
}
