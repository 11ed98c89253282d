/**
 * Tells in one pass through a text where one of many may stand: bit n of a pair of characters says that one of these has it as
 * its n-th, of eight at most. Where all pairs of one follow each other, it has to be compared.
 */
export class PairTable {
  readonly #bits = new DataView(new ArrayBuffer(4_096));

  constructor(texts: Iterable<string>) {
    for (const text of texts)
      for (let index = 1; index < text.length; index += 1) {
        const pair = numberOf(text.charCodeAt(index - 1), text.charCodeAt(index));
        this.#bits.setUint8(pair, this.#bits.getUint8(pair) | (1 << (index - 1)));
      }
  }

  bitsOf(first: number, second: number): number {
    return this.#bits.getUint8(numberOf(first, second));
  }
}

/** Many pairs have the same. */
function numberOf(first: number, second: number): number {
  return ((first << 5) ^ second) & 4_095;
}
