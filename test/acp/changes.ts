/** Waits for what is known to change. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  /** Something has changed. */
  tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves when the condition holds; it is looked at after each change. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }
}
