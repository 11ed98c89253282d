/** Two characters; many have the same number. */
export function pairOf(first: number, second: number): number {
  return ((first << 5) ^ second) & 4_095;
}

/**
 * Tells in one pass through a text where one of many may stand: bit n of `table[pair]` says that one of these has that pair of
 * characters as its n-th, of eight at most. Where all pairs of one follow each other, it has to be compared.
 */
export function pairTable(texts: Iterable<string>): Uint8Array {
  const table = new Uint8Array(4_096);
  for (const text of texts)
    for (let index = 1; index < text.length; index += 1) {
      const pair = pairOf(text.charCodeAt(index - 1), text.charCodeAt(index));
      table[pair] = (table[pair] ?? 0) | (1 << (index - 1));
    }
  return table;
}
