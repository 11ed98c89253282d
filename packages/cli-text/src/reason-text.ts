import type { DifferenceReason, PromptReason } from "@incipit/schema";

export const differenceWords: Readonly<Record<DifferenceReason, string>> = {
  "first-step": "nothing was sent before",
  "model-changed": "another model",
  "provider-changed": "another provider, or other settings of it",
  "tools-changed": "other tools",
  "prompt-rebuilt": "the prompt was built anew",
  compaction: "a summary in the place of what was said",
  "request-tier": "a system text for one call",
  "prompt-builder-absent": "the prompt builder came or went",
  "history-edited": "a message is not as it was sent",
  unknown: "the request is another one",
};

/** `--reason` accepts the code, and the guide explains it. */
export function differenceText(reason: DifferenceReason | null): string {
  const code = reason ?? "unknown";
  return `${differenceWords[code]} (${code})`;
}

export const promptReasonWords: Readonly<Record<PromptReason, string>> = {
  "first-turn": "for the first message",
  compaction: "after a compaction",
  "turn-refresh": "for a message",
  rebuild: "by a rebuild",
};
