export interface WireCall {
  readonly path: string;
  readonly body: string;
}

/** Tests that count exactly set both to 1. */
export interface CacheSettings {
  /** Tokens. */
  readonly unitTokens?: number;
  /** Shorter prefixes are not cached. */
  readonly minTokens?: number;
}

export interface CacheUse {
  /** Includes cache reads and writes. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  /** Absent: not reported by the vendor. */
  readonly cacheWriteTokens?: number;
}

/** Published rules, with four bytes per token, immediate writes and no eviction. */
export interface SimulatedCache {
  /** Also stores the prompt. Does nothing for an unreadable body. */
  use(call: WireCall): CacheUse;
}

const bytesOfToken = 4;

export function tokensOf(sizeBytes: number): number {
  return Math.floor(sizeBytes / bytesOfToken);
}

export interface PrefixPrompt {
  /** Prompts with different keys share nothing. */
  readonly key: string;
  readonly parts: readonly string[];
}

/** As OpenAI, DeepSeek and Gemini have. */
export class PrefixCache implements SimulatedCache {
  readonly #read: (call: WireCall) => PrefixPrompt | undefined;
  readonly #settings: Required<CacheSettings>;
  readonly #kept = new Map<string, Buffer[]>();

  constructor(read: (call: WireCall) => PrefixPrompt | undefined, settings: Required<CacheSettings>) {
    this.#read = read;
    this.#settings = settings;
  }

  use(call: WireCall): CacheUse {
    const prompt = this.#read(call);
    if (prompt === undefined) return { inputTokens: 0, cacheReadTokens: 0 };
    const text = Buffer.from(prompt.parts.join(""));
    const kept = this.#kept.get(prompt.key) ?? [];
    const same = kept.reduce((longest, other) => Math.max(longest, samePrefix(text, other)), 0);
    // A prefix of this prompt becomes redundant.
    const others = kept.filter((other) => samePrefix(text, other) < other.length);
    this.#kept.set(prompt.key, [...others, text]);
    const { unitTokens, minTokens } = this.#settings;
    const units = Math.floor(tokensOf(same) / unitTokens) * unitTokens;
    return { inputTokens: tokensOf(text.length), cacheReadTokens: units >= minTokens ? units : 0 };
  }
}

function samePrefix(a: Buffer, b: Buffer): number {
  let same = 0;
  let different = Math.min(a.length, b.length) + 1;
  while (different - same > 1) {
    const middle = (same + different) >> 1;
    if (a.compare(b, same, middle, same, middle) === 0) same = middle;
    else different = middle;
  }
  return same;
}
