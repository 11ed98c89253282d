import { readLayer, tomlText, valueAt, withValue, type Table } from "@incipit/host/configuration";
import { configText } from "@incipit/host/configuration-file";
import { readFileSync } from "node:fs";
import { parseConfig } from "./parse-config.ts";
import { isThere, writeWhole } from "./write-whole.ts";

export interface OwnFile {
  /** Absolute; it need not be there yet. */
  readonly file: string;
  /** Absolute. */
  readonly dataFolder: string;
}

/** Begins a new file with what held without one, so that the tools of a first run stay. */
const beginning = `# true: models may read files of the working folder; they ask before they change one or run a program.
[tools]
workspace = true
`;

/**
 * The user's configuration file, written as UTF-8, with another table at its end: what stands there stays, with its comments. Nothing is written
 * that a host would not start with.
 */
export class GrowingFile {
  readonly file: string;
  readonly #dataFolder: string;
  #text: string;

  /** @throws when the file cannot be read. */
  constructor({ file, dataFolder }: OwnFile) {
    this.file = file;
    this.#dataFolder = dataFolder;
    this.#text = readText(file);
  }

  /** Whether something stands at a path. */
  has(path: readonly string[]): boolean {
    return valueAt(readLayer(this.#text, { file: this.file }).table, path) !== undefined;
  }

  /** @param path Where the table goes. @throws {ConfigError} what would be wrong with the file; it is as before then. */
  add(path: readonly string[], table: Table): void {
    const lines = tomlText(withValue({}, path, table));
    const before = this.#text === "" || this.#text.endsWith("\n") ? this.#text : `${this.#text}\n`;
    const text = `${before}${before === "" ? "" : "\n"}${lines}`;
    parseConfig(text, this.file, { dataFolder: this.#dataFolder });
    this.#text = text;
  }

  /** Whole or not at all; a link goes on leading to its file. @throws when the file cannot be written. */
  write(): void {
    writeWhole(this.file, this.#text);
  }
}

function readText(file: string): string {
  if (!isThere(file)) return beginning;
  return configText(readFileSync(file), file);
}
