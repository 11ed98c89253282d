import { readableError, type Clock } from "@incipit/kernel";

export type Next<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "done" }
  | { readonly kind: "aborted" }
  | { readonly kind: "timeout" };

export function nextEvent<Value>(
  iterator: AsyncIterator<Value>,
  options: { readonly timeoutMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Next<Value>> {
  const { signal, clock, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      resolve({ kind: "aborted" });
      return;
    }
    const abort = (): void => settle({ kind: "aborted" });
    const cancel = clock.setTimer(() => settle({ kind: "timeout" }), timeoutMs);
    const clean = (): void => {
      cancel();
      signal.removeEventListener("abort", abort);
    };
    const settle = (next: Next<Value>): void => {
      clean();
      resolve(next);
    };
    signal.addEventListener("abort", abort, { once: true });
    iterator
      .next()
      .then((result) => settle(result.done === true ? { kind: "done" } : { kind: "value", value: result.value }))
      .catch((error: unknown) => {
        clean();
        reject(readableError(error)); // The stream may be extension code: an unreadable error would be lost.
      });
  });
}

/** Rejects as `value` does; ignores its later rejection. */
export function settle<Value>(
  value: Promise<Value>,
  options: Parameters<typeof nextEvent>[1],
): Promise<Next<Value>> {
  value.catch(() => undefined);
  return nextEvent({ next: async () => ({ done: false, value: await value }) }, options);
}
