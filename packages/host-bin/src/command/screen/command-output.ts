import { Redactor, ignoredSecretReason } from "@incipit/redaction";
import { stripVTControlCharacters } from "node:util";

/** In UTF-16 units; the end, where errors are, is kept too. */
const maxHead = 16_384;
const maxTail = 49_152;

/** Programs on the alternate screen draw; their output is not readable text. */
const alternateScreen = /\u001B\[\?(?:47|1047|1049)h/; // oxlint-disable-line no-control-regex -- matches the escape on purpose

export class CommandOutput {
  #head = "";
  #tail = "";
  #left = 0;
  #isScreen = false;

  add(text: string): void {
    this.#isScreen ||= alternateScreen.test(text);
    const room = Math.max(0, maxHead - this.#head.length);
    this.#head += text.slice(0, room);
    const tail = this.#tail + text.slice(room);
    this.#left += Math.max(0, tail.length - maxTail);
    this.#tail = tail.slice(-maxTail);
  }

  /**
   * Without escape sequences, keys of well-known formats and values of secret-looking variables of `env`; `undefined`
   * when the program used the alternate screen.
   */
  async text(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
    if (this.#isScreen) return undefined;
    const left = this.#left === 0 ? "" : `\n[${this.#left.toLocaleString("en-US")} characters left out]\n`;
    const redactor = await Redactor.create({ secrets: secretsIn(env), patterns: [] });
    return redactor.redact(readable(`${this.#head}${left}${this.#tail}`));
  }
}

/** Resolves overwritten lines to their last text. */
function readable(text: string): string {
  return stripVTControlCharacters(text)
    .toWellFormed()
    .replaceAll(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1).replaceAll(/[^\P{Cc}\t]/gu, ""))
    .join("\n")
    .trimEnd();
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;

function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    secretName.test(name) && ignoredSecretReason(value) === undefined ? [value] : [],
  );
}
