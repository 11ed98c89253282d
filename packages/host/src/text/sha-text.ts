/** Characters of a hash that tell two texts apart. */
const shortLength = 12;

/** The beginning of a hash, where all of it says too much. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, shortLength)}…`;
}

/** What is said with a hash, which is whole where there is room for all of it in a row. */
export function shaText(sha256: string, row: (hash: string) => string, width: number): string {
  const whole = row(sha256);
  return whole.length <= width ? whole : row(shortHash(sha256));
}
