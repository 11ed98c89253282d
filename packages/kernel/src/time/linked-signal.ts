/**
 * A signal that aborts as soon as one of others does, with its reason, and leaves nothing on them once it is disposed of. In
 * place of `AbortSignal.any`, which keeps up to 1 KB of each call for as long as the signal that lives longest.
 */
export class LinkedSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #unlink: (() => void)[] = [];

  /** @param sources Those that are `undefined` never abort. */
  constructor(...sources: readonly (AbortSignal | undefined)[]) {
    for (const source of sources) {
      if (source === undefined) continue;
      const abort = (): void => this.#controller.abort(source.reason);
      if (source.aborted) abort();
      else source.addEventListener("abort", abort, { once: true });
      this.#unlink.push(() => source.removeEventListener("abort", abort));
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const unlink of this.#unlink.splice(0)) unlink();
  }
}
