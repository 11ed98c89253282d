const baseMs = 500;
const maxMs = 60_000;

/** Too long for an interactive user: the call fails immediately, with the time. */
export function isTooLongToWait(retryAfterMs: number | undefined): retryAfterMs is number {
  return retryAfterMs !== undefined && retryAfterMs > maxMs;
}

export function waitText(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}

/** The vendor's delay, or an exponential backoff with 25% jitter. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  const delayMs = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  return Math.round(delayMs * (0.75 + 0.5 * random()));
}
