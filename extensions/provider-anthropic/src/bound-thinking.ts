import type { ModelSettings } from "@incipit/schema";

/** Account settings decide whether a mismatch is rejected or dropped. */
const preserved = /^claude-(?:(?:fable|mythos)-5-\d|(?:opus|sonnet|haiku)-5-5)/;

/**
 * Makes a model drop thinking whose prefix has changed instead of rejecting the request: the system prompt and tools
 * may change, and a history may be forked, imported or stripped of secrets. Valid thinking is still used.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
export function boundThinking(model: string, settings: ModelSettings | undefined): object {
  if (!preserved.test(model) || isThinkingOff(settings)) return {};
  return {
    anthropicBeta: ["thinking-binding-controls-2026-08-01"],
    // The default of these models; the option requires it explicitly.
    thinking: { type: "adaptive", blockBinding: { prefixMismatchBehavior: "drop_block" } },
  };
}

/** Then `block_binding` is unavailable, so old thinking has to be omitted. */
export function isThinkingOff(settings: ModelSettings | undefined): boolean {
  const thinking = settings?.vendorFields?.["thinking"];
  const isDisabled =
    typeof thinking === "object" && thinking !== null && "type" in thinking && thinking["type"] === "disabled";
  return settings?.reasoningEffort === "none" || isDisabled;
}
