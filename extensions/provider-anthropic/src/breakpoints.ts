import type { ModelMessage } from "@incipit/service-contract";

type Part = ModelMessage["parts"][number];

export const breakpoint = { type: "ephemeral" } as const;
/** As the package takes it with a part or a message. */
export const breakpointOptions = { anthropic: { cacheControl: breakpoint } } as const;

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
 * - A breakpoint stays where it was put: whether a part has one depends on what is before it alone.
 * - After the second one of an epoch no other is put, for an old one would have to go, and bytes that were sent would change.
 *   A later stretch of that length then reads the cache up to the last breakpoint.
 */
export function breakpoints(messages: readonly ModelMessage[]): ReadonlyMap<Part, typeof breakpointOptions> {
  const found = new Map<Part, typeof breakpointOptions>();
  /** Blocks since the newest reply began, where the request before had ended; `undefined`: there was none, or it has its own. */
  let blocks: number | undefined;
  for (const [index, { role, parts }] of messages.entries()) {
    if (role === "assistant" && messages[index - 1]?.role !== "assistant") blocks = 0;
    for (const part of parts) {
      if (blocks === undefined || found.size === maxBreakpoints) continue;
      blocks += 1;
      if (blocks < lookbackBlocks || !canCarry(part)) continue;
      found.set(part, breakpointOptions);
      blocks = undefined;
    }
  }
  return found;
}

/** Thinking takes none, and a blank text is not sent. */
function canCarry(part: Part): boolean {
  return part.type !== "reasoning" && (part.type !== "text" || part.text.trim() !== "");
}
