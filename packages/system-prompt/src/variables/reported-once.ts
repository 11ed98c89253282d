/** More than any host has reason for; what comes after that is said again and again rather than never. */
const maxKept = 1_000;

/** Remembers what was said, so that a log has it once and not with every prompt. */
export class ReportedOnce {
  readonly #said = new Set<string>();

  /** Whether it is the first time. */
  isNew(...words: readonly (string | null)[]): boolean {
    const key = JSON.stringify(words);
    if (this.#said.has(key)) return false;
    if (this.#said.size < maxKept) this.#said.add(key);
    return true;
  }
}
