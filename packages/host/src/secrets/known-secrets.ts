import type { Redactor } from "@incipit/redaction";

/** Variables that describe user and system and are not secret. */
const ordinary =
  /^(?:HOME|USER|LOGNAME|SHELL|PATH|PWD|OLDPWD|LANG|LANGUAGE|LC_[A-Z]+|TERM|TERM_PROGRAM|COLORTERM|TZ|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|HOSTNAME|DISPLAY|NODE_ENV|CI|DEBUG|NO_COLOR|XDG_[A-Z_]+)$/;

/**
 * Secrets that the host redacts from all it stores and shows: those known at the start, and each value that an
 * extension receives, from then on.
 */
export class KnownSecrets {
  readonly #byShape: Redactor;
  #values: readonly string[];
  #redactor: Redactor;

  /** @param byShape Recognizes secrets by their format. */
  constructor(byShape: Redactor, values: readonly string[]) {
    this.#byShape = byShape;
    this.#values = [...new Set(values)];
    this.#redactor = byShape.withValues(this.#values);
  }

  /** The same array until a value is added. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** Adds the value of a variable given to an extension, except common variables such as `PATH`. */
  addVariable(name: string, value: string | undefined): void {
    if (value === undefined || value === "" || ordinary.test(name) || this.#values.includes(value)) return;
    this.#values = [...this.#values, value];
    this.#redactor = this.#byShape.withValues(this.#values);
  }

  redact(text: string): string {
    return this.#redactor.redact(text);
  }
}
