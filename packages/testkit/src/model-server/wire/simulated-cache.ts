/** What leaves for a model. */
export interface WireCall {
  readonly path: string;
  readonly body: string;
}

/** Overrides what the vendor has; for tests that count exactly, both 1. */
export interface CacheSettings {
  /** A prefix is kept in steps of so many tokens. */
  readonly unitTokens?: number;
  /** A shorter prefix is not kept at all. */
  readonly minTokens?: number;
}

export interface CacheUse {
  /** The whole prompt, what is read and written included. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  /** Absent: the vendor says nothing of it. */
  readonly cacheWriteTokens?: number;
}

/**
 * What a vendor's prefix cache would do with each prompt, by its published rules: with four bytes as a token, without an end of
 * its entries, and with all of it kept as soon as it was sent.
 */
export interface SimulatedCache {
  /** Reads what was kept of earlier prompts, and keeps this one. One that cannot be read: nothing is. */
  use(call: WireCall): CacheUse;
}

const bytesOfToken = 4;

export function tokensOf(sizeBytes: number): number {
  return Math.floor(sizeBytes / bytesOfToken);
}

export interface PrefixPrompt {
  /** Prompts with another one share nothing, such as those of another model. */
  readonly key: string;
  /** In the order in which the vendor's model reads them. */
  readonly parts: readonly string[];
}

/** Finds by itself what a prompt begins with, as OpenAI, DeepSeek and Gemini do. */
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
    // One that is a prefix of this one finds nothing that this one does not.
    const others = kept.filter((other) => samePrefix(text, other) < other.length);
    this.#kept.set(prompt.key, [...others, text]);
    const { unitTokens, minTokens } = this.#settings;
    const units = Math.floor(tokensOf(same) / unitTokens) * unitTokens;
    return { inputTokens: tokensOf(text.length), cacheReadTokens: units >= minTokens ? units : 0 };
  }
}

/** How many bytes both begin with. */
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
