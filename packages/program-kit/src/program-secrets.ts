import type { Environment } from "@incipit/kernel";
import { Redactor } from "@incipit/redaction";

/** What the configuration says is in variables of the host's environment, and is never to be shown. */
export class ProgramSecrets {
  readonly #env: Environment;
  readonly #values = new Set<string>();
  #redactor = Redactor.ofValues([]);

  constructor(env: Environment) {
    this.#env = env;
  }

  /** @throws {Error} when the variable is not set. */
  read(variable: string): string {
    const value = this.#env.get(variable);
    if (value === undefined) throw new Error(`the variable "${variable}" is not set`);
    if (!this.#values.has(value)) this.#redactor = Redactor.ofValues([...this.#values.add(value)]);
    return value;
  }

  /** The text without any of them, however they are written in it. */
  redact(text: string): string {
    return this.#redactor.redact(text);
  }
}
