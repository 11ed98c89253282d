import { readableError, type Clock } from "@incipit/kernel";

export type Settled<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "aborted" }
  | { readonly kind: "timeout" };

interface Limits {
  readonly timeoutMs?: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Rejects as `value` does; ignores its later rejection. */
export function settle<Value>(
  value: Promise<Value>,
  { timeoutMs, clock, signal }: Limits,
): Promise<Settled<Value>> {
  return new Promise((resolve, reject) => {
    const abort = (): void => end({ kind: "aborted" });
    const cancel = timeoutMs === undefined ? undefined : clock.setTimer(() => end({ kind: "timeout" }), timeoutMs);
    const clean = (): void => {
      cancel?.();
      signal?.removeEventListener("abort", abort);
    };
    const end = (settled: Settled<Value>): void => {
      clean();
      resolve(settled);
    };
    signal?.addEventListener("abort", abort, { once: true });
    value.then(
      (given) => end({ kind: "value", value: given }),
      (error: unknown) => {
        clean();
        reject(readableError(error)); // It may be extension code: an unreadable error would be lost.
      },
    );
    if (signal?.aborted === true) abort();
  });
}

/** Short, because the value is usually in memory. */
const shortMs = 250;

/** Returns the value, or the fallback on timeout. Rejects as `value` does. */
export async function inTime<Value>(
  { clock }: { readonly clock: Clock },
  value: Promise<Value>,
  fallback: Value,
): Promise<Value> {
  const settled = await settle(value, { timeoutMs: shortMs, clock });
  return settled.kind === "value" ? settled.value : fallback;
}

/** Abort reason, as opposed to a user's stop. */
export const hostStops: unique symbol = Symbol("the host stops");
