import type { AuditedStep } from "@incipit/schema";
import { toldWords } from "../text/told-words.ts";

export interface AuditWords {
  readonly sentences: readonly string[];
  readonly hint: string | undefined;
}

/** Smallest prefix that providers cache: https://docs.claude.com/en/docs/build-with-claude/prompt-caching */
const minCachedTokens = 1_024;

/** docs/guide/cache-breaks.md */
export function auditWords(step: AuditedStep): AuditWords {
  const said = toldWords.audit;
  const { verdict, prefix, warning, share, reason, inputUsd } = step;
  const kept = share === null ? [] : [said.kept(share)];
  switch (verdict) {
    case "unsent":
      return { sentences: [said.unsent], hint: undefined };
    case "first":
      return { sentences: [said.first], hint: undefined };
    case "held": {
      const added = prefix === null ? said.notMeasured : said.added(prefix.sizeBytes - prefix.sharedBytes);
      return { sentences: [said.held, added, ...missed(step)], hint: undefined };
    }
    case "expected": {
      const why = reason === "compaction" ? said.expected.compaction : said.expected.other;
      return { sentences: [...differenceOf(step), ...kept, why], hint: undefined };
    }
    case "broken": {
      const { billed = null, unbroken = null } = inputUsd ?? {};
      const more = billed !== null && unbroken !== null && billed > unbroken ? [said.more(billed - unbroken)] : [];
      const what = warning === null ? [] : [`${warning.message}.`];
      return { sentences: [...what, ...differenceOf(step), ...kept, ...more], hint: warning?.hint };
    }
  }
}

function differenceOf({ prefix }: AuditedStep): readonly string[] {
  const said = toldWords.audit;
  if (prefix === null) return [said.notMeasured];
  const { difference, changes } = prefix;
  const place =
    difference === null ? [] : [said.differs(partName(difference.part), difference.partByte, difference.bodyByte)];
  return [...place, ...(changes.length === 0 ? [] : [said.because(changes.join(", "))])];
}

function partName(part: string): string {
  const said = toldWords.audit.parts;
  if (part === "tools" || part === "system") return said[part];
  const index = Number(part.replace(/^message:/, ""));
  return Number.isInteger(index) ? said.message(index + 1) : part;
}

/** Unchanged prefix, but little read from the cache. */
function missed({ usage, prefix }: AuditedStep): readonly string[] {
  if (usage === null || prefix === null || usage.inputTokens === null || usage.cacheReadTokens === null) return [];
  const readable = (usage.inputTokens * prefix.sharedBytes) / Math.max(1, prefix.sizeBytes);
  if (readable < 2 * minCachedTokens || usage.cacheReadTokens >= readable / 2) return [];
  return [toldWords.audit.missed(usage.cacheReadTokens)];
}
