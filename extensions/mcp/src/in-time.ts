import type { Clock } from "@incipit/kernel";

export class LateError extends Error {
  override readonly name = "LateError";
}

/** @throws {LateError} when `work`, which has to respect its signal, is not done in time. */
export async function inTime<Result>(
  { clock, timeoutMs, signal }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal },
  work: (either: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const cancel = clock.setTimer(() => late.abort(new LateError()), timeoutMs);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}
