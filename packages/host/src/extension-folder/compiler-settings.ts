import type { FileSystem } from "@incipit/kernel";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

export interface CompilerSettingsOptions {
  readonly fs: FileSystem;
  /** Longest wait for one file. */
  readonly timeoutMs: number;
}

const fileNames = ["tsconfig.json", "jsconfig.json"] as const;
/** Other settings lead imports elsewhere, or have no part in what is made. No key can be written in another way: see `extendedIn`. */
const changingPattern = /jsx|decorator|useDefineForClassFields/i;
/** The bundler reads those that lie beside packages, and none of the packages'. */
const packagesName = "node_modules";
const maxFileBytes = 1_048_576;
/** No author has that many; the walk of a tree has an end. */
const maxFolders = 5_000;

/**
 * Looks at the tsconfig.json and jsconfig.json that the bundler is going to read. It opens whatever `extends` names, and a pipe
 * that nobody writes to would hold it for ever, and with it whoever comes next.
 */
export class CompilerSettings {
  readonly #options: CompilerSettingsOptions;
  readonly #files = new Set<string>();
  readonly #changing = new Map<string, string>();

  constructor(options: CompilerSettingsOptions) {
    this.#options = options;
  }

  /** Those of a folder and of all that are above it. @throws {Error} that says which one cannot be used, and why. */
  async checkAbove(folder: string): Promise<void> {
    for (let at = folder; ; at = dirname(at)) {
      await this.#checkFolder(at);
      if (at === dirname(at)) return;
    }
  }

  /** Those of a folder and of all that are in it, links not followed. @throws {Error} as `checkAbove`. */
  async checkBelow(folder: string): Promise<void> {
    const left = [folder];
    for (let count = 0, at = left.pop(); at !== undefined; count += 1, at = left.pop()) {
      if (count === maxFolders)
        throw new Error(`it has more than ${maxFolders} folders; move its code to one of its own`);
      const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
      if (entries.some(({ name }) => isSettingsName(name))) await this.#checkFolder(at);
      const isPackages = at.endsWith(`/${packagesName}`);
      for (const entry of entries)
        if (entry.isDirectory() && (!isPackages || entry.name.startsWith("@"))) left.push(join(at, entry.name));
    }
  }

  /** Those that were looked at and may make other code of the same files, with their texts; paths count from `folder`. */
  changing(folder: string): readonly (readonly [string, string])[] {
    const named = [...this.#changing].map(([file, text]) => [relative(folder, file), text] as const);
    return named.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  async #checkFolder(folder: string): Promise<void> {
    for (const name of fileNames) await this.#checkFile(join(folder, name));
  }

  async #checkFile(file: string): Promise<void> {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    const { fs, timeoutMs } = this.#options;
    const read = await fs.readFile(file, { cwd: dirname(file), maxBytes: maxFileBytes, timeoutMs });
    if (read.kind === "absent") {
      if (read.reason === "not-found" || read.reason === "denied") return; // The bundler does not get at it either.
      throw new Error(`${file} is read with it, and cannot be: ${read.detail ?? read.reason}`);
    }
    const text = new TextDecoder().decode(read.bytes);
    const extended = extendedIn(text);
    if (extended === undefined)
      throw new Error(`${file} is read with it; write "extends": "FILE" there, without escapes or comments inside`);
    if (changingPattern.test(text)) this.#changing.set(file, text);
    for (const named of extended) await this.#checkFile(resolve(dirname(file), named));
  }
}

function isSettingsName(name: string): boolean {
  return fileNames.some((fileName) => fileName === name);
}

/**
 * What a text can extend, in whatever place it stands, so that no second key and no comment stands in the way of the look;
 * `undefined`: it cannot be told. Of a list, the bundler takes nothing.
 */
function extendedIn(text: string): readonly string[] | undefined {
  if (text.includes("\0") || /\\[^"\\/bfnrt]/.test(text)) return undefined;
  const names: string[] = [];
  for (const { 0: key, index } of text.matchAll(/extends["']/g)) {
    const value = /^\s*:\s*(?:\[|"([^"\\]*)"|'([^'\\]*)')/.exec(text.slice(index + key.length));
    if (value === null) return undefined;
    const name = value[1] ?? value[2];
    if (name !== undefined) names.push(name);
  }
  return names;
}
