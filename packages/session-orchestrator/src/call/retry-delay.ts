const baseMs = 500;
const maxMs = 60_000;

/** Whether the vendor asks to wait for longer than anybody waits in front of a screen: the call fails at once, and says until when. */
export function isTooLongToWait(retryAfterMs: number | undefined): retryAfterMs is number {
  return retryAfterMs !== undefined && retryAfterMs > maxMs;
}

/** How long to wait, in words for a person. */
export function waitText(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}

/** What the vendor asks for; else twice as long each time, with a quarter of it at random. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  const delayMs = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  return Math.round(delayMs * (0.75 + 0.5 * random()));
}
