import type { Clock } from "@incipit/kernel";

/** Resolves after the time, or at once when the signal aborts, whichever is first. */
export function waitUnlessAborted(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.setTimer(end, waitMs);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
