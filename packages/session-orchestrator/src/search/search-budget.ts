/** What one call of a search may read: about 50 ms of it, whatever there is. */
export class SearchBudget {
  /** Conversations and messages. */
  #records = 1_000;
  /** UTF-16 units of text. Text that is not ASCII takes 50 ms for so many. */
  #units = 1_048_576;

  /** How many more. */
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
