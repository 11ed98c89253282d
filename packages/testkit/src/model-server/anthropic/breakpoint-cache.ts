import { createHash } from "node:crypto";
import { tokensOf, type CacheUse, type SimulatedCache, type WireCall } from "../wire/simulated-cache.ts";

export interface PromptBlock {
  /** Without `cache_control`. */
  readonly text: string;
  readonly isBreakpoint: boolean;
}

export interface BreakpointPrompt {
  /** Prompts with different keys share nothing. */
  readonly key: string;
  /** Tools, system, messages. */
  readonly blocks: readonly PromptBlock[];
}

/** Includes the breakpoint's own block. */
const lookbackBlocks = 20;

/**
 * Each breakpoint writes an entry, and reads one when it, or one of up to 20 blocks before it, ends exactly the same
 * content. https://docs.claude.com/en/docs/build-with-claude/prompt-caching
 */
export class BreakpointCache implements SimulatedCache {
  readonly #read: (call: WireCall) => BreakpointPrompt | undefined;
  readonly #minTokens: number;
  readonly #entries = new Set<string>();

  constructor(
    read: (call: WireCall) => BreakpointPrompt | undefined,
    { minTokens }: { readonly minTokens: number },
  ) {
    this.#read = read;
    this.#minTokens = minTokens;
  }

  use(call: WireCall): CacheUse {
    const prompt = this.#read(call);
    if (prompt === undefined) return { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const ends = prefixes(prompt);
    const breakpoints = [...ends.keys()].filter((index) => prompt.blocks[index]?.isBreakpoint === true);
    const cacheReadTokens = Math.max(0, ...breakpoints.map((index) => this.#hit(ends, index)));
    let writtenTokens = 0;
    for (const index of breakpoints) {
      const end = ends[index];
      if (end === undefined || end.tokens < this.#minTokens) continue;
      this.#entries.add(end.hash);
      writtenTokens = end.tokens;
    }
    return {
      inputTokens: ends.at(-1)?.tokens ?? 0,
      cacheReadTokens,
      cacheWriteTokens: Math.max(0, writtenTokens - cacheReadTokens),
    };
  }

  #hit(ends: readonly PrefixEnd[], breakpoint: number): number {
    for (let index = breakpoint; index >= 0 && index > breakpoint - lookbackBlocks; index -= 1) {
      const end = ends[index];
      if (end !== undefined && this.#entries.has(end.hash)) return end.tokens;
    }
    return 0;
  }
}

interface PrefixEnd {
  /** Everything up to the end of the block. */
  readonly hash: string;
  readonly tokens: number;
}

function prefixes({ key, blocks }: BreakpointPrompt): readonly PrefixEnd[] {
  let hash = key;
  let sizeBytes = 0;
  return blocks.map(({ text }) => {
    hash = createHash("sha256").update(`${hash}\n${text}`).digest("hex");
    sizeBytes += Buffer.byteLength(text);
    return { hash, tokens: tokensOf(sizeBytes) };
  });
}
