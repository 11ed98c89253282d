import type { Redactor } from "@incipit/redaction";

/** Leaves out what the host knows to be secret at this moment: there is more of it once an extension was given some. */
export class LiveRedactor {
  readonly #others: Redactor;
  readonly #secretsNow: () => readonly string[];
  #secrets: readonly string[] = [];
  #current: Redactor;

  /** @param others Finds what else is left out. @param secretsNow A list that only grows. */
  constructor(others: Redactor, secretsNow: () => readonly string[]) {
    this.#others = others;
    this.#current = others;
    this.#secretsNow = secretsNow;
  }

  /** One that stays as it is. */
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
