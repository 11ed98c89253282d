interface Call<Value> {
  readonly result: Promise<Value>;
  readonly controller: AbortController;
  callers: number;
}

/**
 * Deduplicates concurrent calls by key. A caller whose signal aborts leaves immediately; when none remains, the work
 * is aborted, and the next call starts again.
 */
export class SharedCalls<Value> {
  readonly #calls = new Map<string, Call<Value>>();

  async run(key: string, work: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    signal?.throwIfAborted();
    const call = this.#calls.get(key) ?? this.#start(key, work);
    call.callers++;
    if (signal === undefined) return call.result;

    const { promise: left, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      reject(signal.reason);
      call.callers--;
      if (call.callers > 0) return;
      if (this.#calls.get(key) === call) this.#calls.delete(key);
      call.controller.abort(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([call.result, left]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<Value>): Call<Value> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    });
    result.catch(() => {}); // Prevents an unhandled rejection when all callers have left.
    const call: Call<Value> = { result, controller, callers: 0 };
    this.#calls.set(key, call);
    return call;
  }
}
