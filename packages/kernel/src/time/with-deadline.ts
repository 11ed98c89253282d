import type { Clock } from "./clock.ts";

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Thrown on timeout; the work continues. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`Not done within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** @throws {DeadlineError} when `work` has not settled after `timeoutMs`; its later rejection is ignored. */
export function withDeadline<Result>(
  work: () => Result | PromiseLike<Result>,
  options: DeadlineOptions,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = options.clock.setTimer(() => reject(new DeadlineError(options.timeoutMs)), options.timeoutMs);
    const run = async (): Promise<Result> => work();
    run().then(resolve, reject).finally(cancel);
  });
}
