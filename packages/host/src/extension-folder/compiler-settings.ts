import type { FileSystem } from "@incipit/kernel";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

export interface CompilerSettingsOptions {
  readonly fs: FileSystem;
  readonly timeoutMs: number;
}

const fileNames = ["tsconfig.json", "jsconfig.json"] as const;
/** Other settings only affect imports or nothing. Keys with escapes are rejected: see `extendedIn`. */
const changingPattern = /jsx|decorator|useDefineForClassFields/i;
/** The bundler reads the files next to packages but not those inside. */
const packagesName = "node_modules";
const maxFileBytes = 1_048_576;
/** Real extensions have fewer. */
const maxFolders = 5_000;

/**
 * The bundler opens any file named by `extends`; a pipe without a writer would block it, and all later bundling,
 * forever.
 */
export class CompilerSettings {
  readonly #options: CompilerSettingsOptions;
  readonly #files = new Set<string>();
  readonly #changing = new Map<string, string>();

  constructor(options: CompilerSettingsOptions) {
    this.#options = options;
  }

  async checkAbove(folder: string): Promise<void> {
    for (let at = folder; ; at = dirname(at)) {
      await this.#checkFolder(at);
      if (at === dirname(at)) return;
    }
  }

  async checkBelow(folder: string): Promise<void> {
    const left = [folder];
    for (let count = 0, at = left.pop(); at !== undefined; count += 1, at = left.pop()) {
      if (count === maxFolders)
        throw new Error(`it has more than ${maxFolders} folders; move its code to a separate folder`);
      const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
      if (entries.some(({ name }) => isSettingsName(name))) await this.#checkFolder(at);
      const isPackages = at.endsWith(`/${packagesName}`);
      for (const entry of entries)
        if (entry.isDirectory() && (!isPackages || entry.name.startsWith("@"))) left.push(join(at, entry.name));
    }
  }

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
      if (read.reason === "not-found" || read.reason === "denied") return;
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

/** Duplicate keys and comments must not hide a value; `undefined` if undecidable. The bundler ignores a list. */
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
