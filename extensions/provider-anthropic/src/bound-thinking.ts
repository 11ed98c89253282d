import type { ModelSettings } from "@incipit/schema";

/** Models that hold thinking to what stood before it; an account decides whether they refuse or drop what does not fit. */
const preserved = /^claude-(?:(?:fable|mythos)-5-\d|(?:opus|sonnet|haiku)-5-5)/;

/**
 * Options by which a model drops thinking whose prefix has changed, and does not refuse the request: the system text is built
 * anew, tools come and go, and a history may be forked, imported or without its secrets. Those that stay valid are used.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
export function boundThinking(model: string, settings: ModelSettings | undefined): object {
  if (!preserved.test(model) || isThinkingOff(settings)) return {};
  return {
    anthropicBeta: ["thinking-binding-controls-2026-08-01"],
    // These models think so by default; the option wants it said.
    thinking: { type: "adaptive", blockBinding: { prefixMismatchBehavior: "drop_block" } },
  };
}

/** Without thinking, nothing can say that old thinking may be dropped: it is left out. */
export function isThinkingOff(settings: ModelSettings | undefined): boolean {
  const thinking = settings?.vendorFields?.["thinking"];
  const isDisabled =
    typeof thinking === "object" && thinking !== null && "type" in thinking && thinking["type"] === "disabled";
  return settings?.reasoningEffort === "none" || isDisabled;
}
