import { Redactor } from "./redactor.ts";

interface Variables {
  get(variable: string): string | undefined;
}

/** Variables that were read, and other known values. */
export class ProgramSecrets {
  readonly #env: Variables;
  readonly #values: Set<string>;
  #redactor: Redactor;

  constructor(env: Variables, known: readonly string[] = []) {
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

  add(value: string): void {
    if (!this.#values.has(value)) this.#redactor = Redactor.ofValues([...this.#values.add(value)]);
  }

  /** Redacts the secrets, in any encoding. */
  redact(text: string): string {
    return this.#redactor.redact(text);
  }
}
