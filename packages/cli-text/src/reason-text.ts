import type { DifferenceReason, PromptReason } from "@incipit/schema";

export const differenceWords: Readonly<Record<DifferenceReason, string>> = {
  "first-step": "no earlier request",
  "model-changed": "another model",
  "provider-changed": "another provider, or other provider settings",
  "tools-changed": "other tools",
  "prompt-rebuilt": "the prompt was rebuilt",
  compaction: "a summary replaced the history",
  "request-tier": "system messages of one call",
  "prompt-builder-absent": "the prompt builder was loaded or unloaded",
  "history-edited": "a sent message was changed",
  unknown: "another request",
};

/** Formats a reason with its code, which `--reason` accepts and the guide explains. */
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
