/** Covers the timestamp to the millisecond; commands accept this prefix. */
const shortIdLength = 13;

/** Returns the prefix of an id for a screen. */
export function shortId(id: string): string {
  return id.slice(0, shortIdLength);
}
