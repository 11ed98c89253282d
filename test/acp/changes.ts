export class Changes {
  readonly #waiting = new Set<() => void>();

  tell(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }
}
