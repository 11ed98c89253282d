/**
 * Aborts as soon as one of several signals does, with its reason. Removes its listeners when disposed:
 * `AbortSignal.any` retains up to 1 KB per call for as long as the longest-lived signal.
 */
export class LinkedSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #unlink: (() => void)[] = [];

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
