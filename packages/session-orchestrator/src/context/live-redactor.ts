import type { Redactor } from "@incipit/redaction";

export class LiveRedactor {
  readonly #others: Redactor;
  readonly #secretsNow: () => readonly string[];
  #secrets: readonly string[] = [];
  #current: Redactor;

  /** @param secretsNow Returns a list that only grows. */
  constructor(others: Redactor, secretsNow: () => readonly string[]) {
    this.#others = others;
    this.#current = others;
    this.#secretsNow = secretsNow;
  }

  get current(): Redactor {
    const secrets = this.#secretsNow();
    if (secrets.length !== this.#secrets.length) {
      this.#secrets = secrets;
      this.#current = this.#others.withValues(secrets);
    }
    return this.#current;
  }

  redact(text: string): string {
    return this.current.redact(text);
  }
}
