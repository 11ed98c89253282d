import type { Clock } from "@incipit/kernel";

/** Resolves after the time, or once the signal aborts. */
export function waitUnlessAborted(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.setTimer(done, ms);
    signal.addEventListener("abort", done);
  });
}
