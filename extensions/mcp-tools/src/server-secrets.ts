import type { Environment } from "@incipit/kernel";

/** Shorter ones are not looked for: they would hit ordinary words. */
const minSecretLength = 8;

/** What the configuration says is in variables of the host's environment, and is never to be shown. */
export class ServerSecrets {
  readonly #env: Environment;
  readonly #values = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** @throws {Error} when the variable is not set. */
  read(variable: string): string {
    const value = this.#env.get(variable);
    if (value === undefined) throw new Error(`the variable "${variable}" is not set`);
    if (value.length >= minSecretLength) this.#values.add(value);
    return value;
  }

  /** The text without any of them. */
  redact(text: string): string {
    return [...this.#values].reduce((shown, value) => shown.replaceAll(value, "[secret]"), text);
  }
}
