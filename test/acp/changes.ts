/** Waits for conditions on changing state. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  /** Signals a change. */
  tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves once the condition holds; checked after each change. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }
}
