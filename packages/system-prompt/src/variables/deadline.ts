import type { Clock } from "@incipit/kernel";

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Late work is aborted through its signal and abandoned.
 *
 * @throws the error of `work`, or the reason of `signal`.
 */
export function withDeadline<Value>(
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
  { clock, timeoutMs, signal }: DeadlineOptions,
): Promise<{ readonly kind: "done"; readonly value: Value } | { readonly kind: "timeout" }> {
  const { promise, resolve, reject } = Promise.withResolvers<
    { readonly kind: "done"; readonly value: Value } | { readonly kind: "timeout" }
  >();
  const late = new AbortController();
  const onAbort = (): void => {
    reject(signal.reason);
    late.abort(signal.reason);
  };
  if (signal.aborted) {
    onAbort();
    return promise;
  }
  signal.addEventListener("abort", onAbort, { once: true });
  const cancelTimer = clock.setTimer(() => {
    resolve({ kind: "timeout" });
    late.abort(new DOMException(`Not done within ${timeoutMs} ms`, "TimeoutError"));
  }, timeoutMs);
  const start = async (): Promise<void> => {
    try {
      resolve({ kind: "done", value: await work(late.signal) });
    } catch (error) {
      reject(error);
    }
  };
  void start();
  return promise.finally(() => {
    cancelTimer();
    signal.removeEventListener("abort", onAbort);
  });
}
