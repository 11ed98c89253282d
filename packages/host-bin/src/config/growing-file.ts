import { readLayer, tomlText, valueAt, withValue, type Table } from "@incipit/host/configuration";
import { configText } from "@incipit/host/configuration-file";
import { readFileSync } from "node:fs";
import { parseConfig } from "./parse-config.ts";
import { isThere, writeAtomically } from "./write-atomically.ts";

export interface OwnFile {
  /** Absolute; may not exist yet. */
  readonly file: string;
  readonly dataFolder: string;
}

const beginning = `# true: models may read files of the working folder; they ask before they change one or run a program.
[tools]
workspace = true
`;

/** Appends tables to a UTF-8 file, preserving its comments. Rejects changes that a host would not start with. */
export class GrowingFile {
  readonly file: string;
  readonly #dataFolder: string;
  #text: string;

  constructor({ file, dataFolder }: OwnFile) {
    this.file = file;
    this.#dataFolder = dataFolder;
    this.#text = readText(file);
  }

  has(path: readonly string[]): boolean {
    return valueAt(readLayer(this.#text, { file: this.file }).table, path) !== undefined;
  }

  /** @throws {ConfigError} when the file would become invalid, and leaves it unchanged. */
  add(path: readonly string[], table: Table): void {
    const lines = tomlText(withValue({}, path, table));
    const before = this.#text === "" || this.#text.endsWith("\n") ? this.#text : `${this.#text}\n`;
    const text = `${before}${before === "" ? "" : "\n"}${lines}`;
    parseConfig(text, this.file, { dataFolder: this.#dataFolder });
    this.#text = text;
  }

  write(): void {
    writeAtomically(this.file, this.#text);
  }
}

function readText(file: string): string {
  if (!isThere(file)) return beginning;
  return configText(readFileSync(file), file);
}
