import type { Redactor } from "@incipit/redaction";

/** Variables that say who and where somebody is. */
const ordinary =
  /^(?:HOME|USER|LOGNAME|SHELL|PATH|PWD|OLDPWD|LANG|LANGUAGE|LC_[A-Z]+|TERM|TERM_PROGRAM|COLORTERM|TZ|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|HOSTNAME|DISPLAY|NODE_ENV|CI|DEBUG|NO_COLOR|XDG_[A-Z_]+)$/;

/**
 * What the host leaves out of all that it keeps and shows: what it knew when it started, and what it has given to extensions since then,
 * from when they have it.
 */
export class KnownSecrets {
  readonly #byShape: Redactor;
  #values: readonly string[];
  #redactor: Redactor;

  /** @param byShape Finds what is a secret whatever its value is. */
  constructor(byShape: Redactor, values: readonly string[]) {
    this.#byShape = byShape;
    this.#values = [...new Set(values)];
    this.#redactor = byShape.withValues(this.#values);
  }

  /** The same list for as long as there is no other. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** The value of a variable that somebody is given; what every program has in its environment is none. */
  addVariable(name: string, value: string | undefined): void {
    if (value === undefined || value === "" || ordinary.test(name) || this.#values.includes(value)) return;
    this.#values = [...this.#values, value];
    this.#redactor = this.#byShape.withValues(this.#values);
  }

  redact(text: string): string {
    return this.#redactor.redact(text);
  }
}
