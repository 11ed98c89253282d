import type { Clock } from "./clock.ts";

/** Resolves after the time, or at once when the signal aborts, whichever is first; leaves neither timer nor listener. */
export function waitUnlessAborted(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.setTimer(end, waitMs);
    signal.addEventListener("abort", end);
  });
}
