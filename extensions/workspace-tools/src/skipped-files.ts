const maxNamed = 5;

export class SkippedFiles {
  #unreadable = 0;
  readonly #tooLarge: string[] = [];
  #tooLargeMore = 0;

  addUnreadable(): void {
    this.#unreadable += 1;
  }

  addTooLarge(path: string): void {
    if (this.#tooLarge.length < maxNamed) this.#tooLarge.push(path);
    else this.#tooLargeMore += 1;
  }

  notes(maxBytes: number): readonly string[] {
    const more = this.#tooLargeMore === 0 ? "" : ` and ${this.#tooLargeMore} more`;
    return [
      ...(this.#tooLarge.length === 0
        ? []
        : [`[not searched, of more than ${maxBytes} bytes each: ${this.#tooLarge.join(", ")}${more}]`]),
      ...(this.#unreadable === 0 ? [] : ["[some files or folders could not be read, and were not searched]"]),
    ];
  }
}
