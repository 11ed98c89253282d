/**
 * Tells in one pass through a text where one of many may stand: bit n of a pair of characters says that one of these has it as
 * its n-th, of eight at most. Where all pairs of one follow each other, it has to be compared.
 */
export class PairTable {
  /** An array, and no `DataView`: texts are looked through before anything is compiled, and each call costs then. */
  readonly #bits = new Uint8Array(16_384);

  constructor(texts: Iterable<string>) {
    for (const text of texts)
      for (let index = 1; index < text.length; index += 1) {
        const pair = numberOf(text.charCodeAt(index - 1), text.charCodeAt(index));
        this.#bits[pair] = (this.#bits[pair] ?? 0) | (1 << (index - 1));
      }
  }

  bitsOf(first: number, second: number): number {
    return this.#bits[numberOf(first, second)] ?? 0;
  }
}

/** Each pair of ASCII has its own; others share them. */
function numberOf(first: number, second: number): number {
  return ((first << 7) ^ second) & 16_383;
}
