/** Beyond this, entries are reported repeatedly rather than never. */
const maxKept = 1_000;

export class ReportedOnce {
  readonly #said = new Set<string>();

  isNew(...words: readonly (string | null)[]): boolean {
    const key = JSON.stringify(words);
    if (this.#said.has(key)) return false;
    if (this.#said.size < maxKept) this.#said.add(key);
    return true;
  }
}
