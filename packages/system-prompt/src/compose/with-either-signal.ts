/**
 * Does `work` with a signal that aborts as soon as one of `signals` does, with its reason. Nothing is left on them when the
 * work is over: `AbortSignal.any` keeps up to 1 KB of each call for as long as the signal that lives longest.
 */
export async function withEitherSignal<Value>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const either = new AbortController();
  const listening: (() => void)[] = [];
  for (const signal of signals) {
    const abort = (): void => either.abort(signal.reason);
    if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort, { once: true });
      listening.push(() => signal.removeEventListener("abort", abort));
    }
  }
  try {
    return await work(either.signal);
  } finally {
    for (const stopListening of listening) stopListening();
  }
}
