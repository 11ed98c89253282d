/** Limits one search call to about 50 ms. */
export class SearchBudget {
  #records = 1_000;
  /** UTF-16 units of text; this many non-ASCII units take 50 ms. */
  #units = 1_048_576;

  get records(): number {
    return this.#records;
  }

  get isSpent(): boolean {
    return this.#records <= 0 || this.#units <= 0;
  }

  spend({ records = 1, units = 0 }: { readonly records?: number; readonly units?: number } = {}): void {
    this.#records -= records;
    this.#units -= units;
  }
}
