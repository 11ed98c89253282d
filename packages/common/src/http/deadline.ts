import { LinkedSignal, type Clock } from "@incipit/kernel";

export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export class Late extends Error {
  constructor(timeoutMs: number) {
    super(`there was no answer within ${timeoutMs / 1_000} s`);
  }
}

/** @throws {Late} after the deadline; the signal's reason on abort; what `work` throws. */
export async function deadlineAround<Result>(
  { timeoutMs, signal, clock }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const late = new AbortController();
  const cancel = clock.setTimer(() => late.abort(new Late(timeoutMs)), timeoutMs);
  using stop = new LinkedSignal(signal, late.signal);
  try {
    return await work(stop.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    cancel();
  }
}
