import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelMessage } from "@incipit/schema";

type Part = ModelMessage["parts"][number];

/** How long the vendor keeps what it has cached; each read begins it anew. */
export type CacheTtl = "5m" | "1h";

/** 5 minutes are the vendor's default, and not said: one way for all keeps the bytes the same. */
export function breakpointOf(ttl: CacheTtl): SharedV4ProviderOptions[string] {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl };
}

/**
 * The vendor looks 20 blocks back from a breakpoint for what it has cached, the block of the breakpoint included:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const lookbackBlocks = 18;

/** At most 4 in a request: one is behind the system text, one behind the last block. */
const maxBreakpoints = 2;

/**
 * Breakpoints inside the history. The one behind the last block finds the cache of the request before, unless more blocks came
 * since than the vendor looks back: a step with many tools at once. Such a stretch gets one of its own, near enough to its
 * beginning.
 *
 * `options` is what a part with one gets.
 *
 * - A breakpoint stays where it was put: whether a part has one depends on what is before it alone.
 * - After the second one of an epoch no other is put, for an old one would have to go, and bytes that were sent would change.
 *   A later stretch of that length then reads the cache up to the last breakpoint.
 */
export function breakpoints(
  messages: readonly ModelMessage[],
  options: SharedV4ProviderOptions,
): ReadonlyMap<Part, SharedV4ProviderOptions> {
  const found = new Map<Part, SharedV4ProviderOptions>();
  /** Blocks since the newest reply began, where the request before had ended; `undefined`: there was none, or it has its own. */
  let blocks: number | undefined;
  for (const [index, { role, parts }] of messages.entries()) {
    if (role === "assistant" && messages[index - 1]?.role !== "assistant") blocks = 0;
    for (const part of parts) {
      if (blocks === undefined || found.size === maxBreakpoints) continue;
      blocks += 1;
      if (blocks < lookbackBlocks || !canCarry(part)) continue;
      found.set(part, options);
      blocks = undefined;
    }
  }
  return found;
}

/** Thinking takes none, and a blank text is not sent. */
function canCarry(part: Part): boolean {
  return part.type !== "reasoning" && (part.type !== "text" || part.text.trim() !== "");
}
