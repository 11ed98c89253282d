import { DeadlineError, withDeadline, type Clock } from "@incipit/kernel";

const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** @throws what `work` rejects with, or a timeout error. */
export async function within<Result>(
  what: string,
  timeoutMs: number,
  work: () => Result | PromiseLike<Result>,
): Promise<Result> {
  try {
    return await withDeadline(work, { timeoutMs, clock: systemClock });
  } catch (cause) {
    if (!(cause instanceof DeadlineError)) throw cause;
    throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`, { cause });
  }
}
