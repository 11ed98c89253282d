import type { Environment } from "@incipit/kernel";
import { Redactor } from "@incipit/redaction";

/** What is never to be shown: what variables of an environment hold once they are read, and other values that are known. */
export class ProgramSecrets {
  readonly #env: Environment;
  readonly #values: Set<string>;
  #redactor: Redactor;

  constructor(env: Environment, known: readonly string[] = []) {
    this.#env = env;
    this.#values = new Set(known);
    this.#redactor = Redactor.ofValues(known);
  }

  /** @throws {Error} when the variable is not set. */
  read(variable: string): string {
    const value = this.#env.get(variable);
    if (value === undefined) throw new Error(`the variable "${variable}" is not set`);
    this.add(value);
    return value;
  }

  /** What became known from elsewhere. */
  add(value: string): void {
    if (!this.#values.has(value)) this.#redactor = Redactor.ofValues([...this.#values.add(value)]);
  }

  /** The text without any of them, however they are written in it. */
  redact(text: string): string {
    return this.#redactor.redact(text);
  }
}
