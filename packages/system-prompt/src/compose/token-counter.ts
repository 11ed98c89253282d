import type { TokenCount } from "@incipit/schema";

/** Models whose vendor says that they use the encoding `o200k_base`: GPT-4o and later, and the o-series. */
const o200kModels = /^(gpt-4o|gpt-4\.[15]|gpt-[5-9]|gpt-oss|chatgpt-|codex|o[134](-|$))/;

/** Time to encode one run of letters grows with the square of it; what is longer is cut, and the count an estimate. */
const maxRunLength = 256;

/** So much is counted before others get their turn. */
const chunkLength = 16_384;

/** A text without a place to cut it is cut anyway. */
const maxChunkLength = 2 * chunkLength;

/** What is left of a text then, such as of one without any words, is estimated. */
const maxCountingMs = 1_000;

/** Counts that are remembered: a page asks for the same prompt again and again. */
const maxKnown = 64;

/** Counts tokens of texts. The encoding is large and is loaded when a model needs it for the first time. */
export class TokenCounter {
  readonly #known = new Map<string, Promise<TokenCount>>();

  /** @param options `sha256` of the text; the model as PROVIDER/MODEL, `null`: not known. */
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
    counted.catch(() => this.#known.delete(sha256)); // Whoever asked is told.
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return counted;
  }
}

/** A token is four bytes of text, about. */
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
    // Names of control tokens are text like any other here.
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

/** Letters, white space and signs: no token has two of these in the middle, but for one space or sign in front. */
const runs = /[\p{L}\p{M}]+|\s+|\p{N}+|[^\s\p{L}\p{M}\p{N}]+/gu;

/**
 * A text in pieces, cut where no token is: before one space that is between two words. `isCut`: it ends elsewhere, because
 * it would take too long otherwise.
 */
function* piecesOf(text: string): Generator<{ readonly piece: string; readonly isCut: boolean }> {
  let start = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    const length = index - start;
    if (run === " " || length >= maxChunkLength) {
      yield { piece: text.slice(start, index), isCut: run !== " " };
      start = index;
    }
    if (run.length <= maxRunLength || /^\p{N}/u.test(run)) continue; // Digits are taken three by three.
    for (let end = index + maxRunLength; end < index + run.length; end += maxRunLength) {
      yield { piece: text.slice(start, end), isCut: true };
      start = end;
    }
  }
  if (start < text.length) yield { piece: text.slice(start), isCut: false };
}
