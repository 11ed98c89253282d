/** @throws the reason of the first signal that aborts before `work` settles; a later result is dropped. */
export function unlessAborted<Result>(work: PromiseLike<Result>, signals: readonly AbortSignal[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const listeners = signals.map((signal) => ({ signal, abort: () => reject(signal.reason) }));
    for (const { signal, abort } of listeners) {
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    }
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => {
        for (const { signal, abort } of listeners) signal.removeEventListener("abort", abort);
      });
  });
}
