const baseMs = 500;
const maxMs = 60_000;

/** What the vendor asks for, within bounds; else twice as long each time, with a quarter of it at random. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, maxMs);
  const delayMs = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  return Math.round(delayMs * (0.75 + 0.5 * random()));
}
