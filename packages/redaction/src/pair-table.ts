/**
 * Bit n of a character pair means that some prefix (at most eight characters) has it as its n-th pair. If all pairs
 * follow each other, the prefix has to be compared.
 */
export class PairTable {
  /** An array instead of a `DataView`, whose calls are slow before the JIT compiles them. */
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

/** ASCII pairs have unique numbers; others share them. */
function numberOf(first: number, second: number): number {
  return ((first << 7) ^ second) & 16_383;
}
