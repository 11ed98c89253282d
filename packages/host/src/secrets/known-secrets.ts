import type { Redactor } from "@incipit/redaction";

const ordinary =
  /^(?:HOME|USER|LOGNAME|SHELL|PATH|PWD|OLDPWD|LANG|LANGUAGE|LC_[A-Z]+|TERM|TERM_PROGRAM|COLORTERM|TZ|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|HOSTNAME|DISPLAY|NODE_ENV|CI|DEBUG|NO_COLOR|XDG_[A-Z_]+)$/;

/** Redacted from all the host stores and shows, including each value given to an extension, from then on. */
export class KnownSecrets {
  readonly #byShape: Redactor;
  #values: readonly string[];
  #redactor: Redactor;

  constructor(byShape: Redactor, values: readonly string[]) {
    this.#byShape = byShape;
    this.#values = [...new Set(values)];
    this.#redactor = byShape.withValues(this.#values);
  }

  /** Returns all values; the same array until one is added. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** Skips common variables such as `PATH`. */
  addVariable(name: string, value: string | undefined): void {
    if (value === undefined || value === "" || ordinary.test(name) || this.#values.includes(value)) return;
    this.#values = [...this.#values, value];
    this.#redactor = this.#byShape.withValues(this.#values);
  }

  redact(text: string): string {
    return this.#redactor.redact(text);
  }
}
