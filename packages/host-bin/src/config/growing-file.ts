import { readLayer, tomlText, valueAt, withValue, type Table } from "@incipit/host/configuration";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { parseConfig } from "./parse-config.ts";

export interface OwnFile {
  /** Absolute; it need not be there yet. */
  readonly file: string;
  /** Absolute. */
  readonly dataFolder: string;
}

/**
 * The user's configuration file with another table at its end: what stands there stays, with its comments. Nothing is written
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
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const target = isThere(this.file) ? realpathSync(this.file) : this.file;
    const whole = `${target}.${randomUUID()}.new`;
    try {
      writeFileSync(whole, this.#text, { flag: "wx", mode: 0o600 });
      if (isThere(target)) chmodSync(whole, statSync(target).mode & 0o777);
      renameSync(whole, target);
    } finally {
      rmSync(whole, { force: true });
    }
  }
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function readText(file: string): string {
  if (!isThere(file)) return "";
  return readFileSync(file, "utf8");
}
