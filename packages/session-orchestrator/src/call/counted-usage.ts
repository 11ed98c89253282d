import type { Usage } from "@incipit/schema";

/** Per call, so that sums stay safe integers and can be exported. */
export const maxCount = 1_000_000_000;

export function countedUsage(usage: unknown): Usage {
  const given: Partial<Record<keyof Usage, unknown>> = typeof usage === "object" && usage !== null ? usage : {};
  const counts = {
    inputTokens: countOf(given.inputTokens),
    outputTokens: countOf(given.outputTokens),
    cacheReadTokens: countOf(given.cacheReadTokens),
    cacheWriteTokens: countOf(given.cacheWriteTokens),
  };
  const reasoningTokens = countOf(given.reasoningTokens);
  const costUsd = costOf(given.costUsd);
  return {
    ...counts,
    ...(reasoningTokens === null ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function costOf(given: unknown): number | undefined {
  return typeof given === "number" && given >= 0 && given <= maxCount ? given : undefined;
}

function countOf(given: unknown): number | null {
  return typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= maxCount ? given : null;
}
