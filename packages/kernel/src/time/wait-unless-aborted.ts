import type { Clock } from "./clock.ts";

/** Resolves after the delay or on abort. Removes its timer and listener. */
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
