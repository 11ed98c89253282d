import type { TokenCount } from "@incipit/schema";

/** Models that use `o200k_base` according to their vendor. */
const o200kModels = /^(gpt-4o|gpt-4\.[15]|gpt-[5-9]|gpt-oss|chatgpt-|codex|o[134](-|$))/;

/**
 * Encoding time is quadratic in the length of a run of letters; longer runs are cut, which makes the count an
 * estimate.
 */
const maxRunLength = 256;

const chunkLength = 16_384;

const maxChunkLength = 2 * chunkLength;

const maxCountingMs = 1_000;

/** A page requests the same prompt repeatedly. */
const maxKnown = 64;

/** The large encoding is loaded at its first use. */
export class TokenCounter {
  readonly #known = new Map<string, Promise<TokenCount>>();

  count(
    text: string,
    { model, sha256 }: { readonly model: string | null; readonly sha256: string },
  ): Promise<TokenCount> {
    if (model === null || !o200kModels.test(model.slice(model.lastIndexOf("/") + 1)))
      return Promise.resolve(estimateTokens(text));
    const known = this.#known.get(sha256);
    if (known !== undefined) return known;
    const counted = countO200k(text);
    this.#known.set(sha256, counted);
    counted.catch(() => this.#known.delete(sha256));
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return counted;
  }
}

export function estimateTokens(text: string): TokenCount {
  return { count: Math.ceil(Buffer.byteLength(text) / 4), method: "estimate" };
}

async function countO200k(text: string): Promise<TokenCount> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const startedAt = performance.now();
  let count = 0;
  let counted = 0;
  let nextPause = chunkLength;
  let isExact = true;
  for (const { piece, isCut } of piecesOf(text)) {
    // Names of control tokens are plain text here.
    count += countTokens(piece, { disallowedSpecial: new Set() });
    counted += piece.length;
    isExact &&= !isCut;
    if (counted < nextPause) continue;
    nextPause = counted + chunkLength;
    if (performance.now() - startedAt > maxCountingMs)
      return { count: count + estimateTokens(text.slice(counted)).count, method: "estimate" };
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { count, method: isExact ? "o200k_base" : "estimate" };
}

/** No token contains such a boundary, except after one leading space or sign. */
const runs = /[\p{L}\p{M}]+|\s+|\p{N}+|[^\s\p{L}\p{M}\p{N}]+/gu;

/** At single spaces between words, where no token crosses. `isCut`: the piece ends elsewhere to limit encoding time. */
function* piecesOf(text: string): Generator<{ readonly piece: string; readonly isCut: boolean }> {
  let start = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    const length = index - start;
    if (run === " " || length >= maxChunkLength) {
      yield { piece: text.slice(start, index), isCut: run !== " " };
      start = index;
    }
    if (run.length <= maxRunLength || /^\p{N}/u.test(run)) continue; // Digits are encoded in groups of three.
    for (let end = index + maxRunLength; end < index + run.length; end += maxRunLength) {
      yield { piece: text.slice(start, end), isCut: true };
      start = end;
    }
  }
  if (start < text.length) yield { piece: text.slice(start), isCut: false };
}
