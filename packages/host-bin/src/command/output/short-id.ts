/** Covers the timestamp to the millisecond; commands accept this prefix. */
const shortIdLength = 13;

export function shortId(id: string): string {
  return id.slice(0, shortIdLength);
}
