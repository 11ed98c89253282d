/** Displayed length of a hash, which suffices to distinguish two texts. */
const shortLength = 12;

export function shortHash(sha256: string): string {
  return `${sha256.slice(0, shortLength)}…`;
}

export function shaText(sha256: string, row: (hash: string) => string, width: number): string {
  const whole = row(sha256);
  return whole.length <= width ? whole : row(shortHash(sha256));
}
