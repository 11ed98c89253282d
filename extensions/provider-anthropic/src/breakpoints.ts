import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelMessage } from "@incipit/schema";

type Part = ModelMessage["parts"][number];

/** Lifetime of the vendor's cache; each read of the cache renews it. */
export type CacheTtl = "5m" | "1h";

/** Omits the default of 5 minutes, so that the bytes are always the same. */
export function breakpointOf(ttl: CacheTtl): SharedV4ProviderOptions[string] {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl };
}

/**
 * The vendor looks back 20 blocks from a breakpoint, including its own:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const lookbackBlocks = 18;

/** Maximum number of permanent breakpoints. The API allows 4; one is on the system text, one on the last block. */
const maxBreakpoints = 2;

/**
 * The breakpoint on the last block finds the previous request's cache unless a step with many parallel calls exceeds
 * the lookback; such a step gets its own near its start. `options` is added to that part.
 *
 * - Breakpoints are stable: whether a part has one depends only on what precedes it.
 * - After the second one in an epoch no other is added, since an old one would have to go and bytes already sent
 * would change. Later long steps read the cache up to the last breakpoint.
 */
export function breakpoints(
  messages: readonly ModelMessage[],
  options: SharedV4ProviderOptions,
): ReadonlyMap<Part, SharedV4ProviderOptions> {
  const found = new Map<Part, SharedV4ProviderOptions>();
  /**
   * Since the newest reply, where the previous request ended; `undefined` without a reply, or when it has a
   * breakpoint.
   */
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

/** Returns whether a part can have a cache breakpoint; thinking cannot. */
function canCarry(part: Part): boolean {
  return part.type !== "reasoning" && (part.type !== "text" || part.text.trim() !== "");
}
