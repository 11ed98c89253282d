import type { FileSystem } from "@incipit/kernel";
import { stat } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { errorMessage } from "../failures/error-code.ts";
import { BundleError } from "./bundle-error.ts";
import { lineOfMacroImport } from "./macro-import.ts";
import { lineOfImport } from "./system-imports.ts";

export interface ReadFilesOptions {
  readonly fs: FileSystem;
  /** The bundler works serially and would block other calls. */
  readonly timeoutMs: number;
}

const maxFileBytes = 16_777_216;
const codeLoaders: ReadonlyMap<string, Bun.JavaScriptLoader> = new Map([
  ["ts", "ts"],
  ["mts", "ts"],
  ["cts", "ts"],
  ["tsx", "tsx"],
  ["jsx", "jsx"],
  ["js", "jsx"],
  ["mjs", "jsx"],
  ["cjs", "jsx"],
]);
/** The bundler would emit these as separate files or native code. */
const refusedExtensions: ReadonlySet<string> = new Set(["css", "html", "node", "wasm"]);

/** As first read, however often they are bundled. */
export class SourceFiles {
  readonly #options: ReadFilesOptions;
  readonly #texts = new Map<string, string>();
  readonly #marks = new Map<string, string>();

  constructor(options: ReadFilesOptions) {
    this.#options = options;
  }

  /**
   * The bundler's message for a missing entry is unhelpful.
   * @throws {BundleError}
   */
  async checkEntry(path: string, shown: string): Promise<void> {
    try {
      await this.#read(path);
    } catch (cause) {
      const remedy = 'write it, or name another file in exports["."] of package.json';
      throw new BundleError([`${shown}, where its code begins: ${errorMessage(cause)}; ${remedy}`], { cause });
    }
  }

  /**
   * Returns `undefined` if the bundler may read the file itself.
   * @throws {Error} with the reason the file cannot be bundled.
   */
  async load(path: string): Promise<{ contents: string; loader: Bun.JavaScriptLoader } | undefined> {
    const extension = extensionOf(path);
    if (refusedExtensions.has(extension))
      throw new Error(`a .${extension} file cannot be part of an extension's code`);
    const mark = await markOf(path);
    const contents = await this.#read(path);
    const loader = codeLoaders.get(extension);
    // Import attributes decide, so a file with an unknown extension may be code.
    const loaders = loader === undefined ? (["ts", "tsx"] as const) : [loader];
    const macroLine = loaders.map((each) => lineOfMacroImport(contents, each)).find((line) => line !== undefined);
    if (macroLine !== undefined) {
      throw new Error(`line ${macroLine} imports a macro, which would run before any grant; import it normally`);
    }
    if (loader !== undefined) return { contents, loader };
    this.#marks.set(path, mark);
    return undefined;
  }

  /**
   * The bundler reads data files a second time.
   * @throws {BundleError} if one has changed.
   */
  async assertUnchanged(folder: string): Promise<void> {
    for (const [path, mark] of this.#marks) {
      if ((await markOf(path)) === mark && (await this.#fresh(path)) === this.#texts.get(path)) continue;
      throw new BundleError([`${relative(folder, path)}: it changed during reading; try again`]);
    }
  }

  /** Returns a hash of the files that is equal on every host. */
  sha256(folder: string, links: readonly unknown[]): string {
    const hasher = new Bun.CryptoHasher("sha256").update(JSON.stringify(links));
    const named = [...this.#texts].map(([path, text]) => [relative(folder, path), text] as const);
    for (const entry of named.toSorted(([a], [b]) => (a < b ? -1 : 1))) hasher.update(JSON.stringify(entry));
    return hasher.digest("hex");
  }

  lineOfImport(path: string, module: string): number {
    const loader = codeLoaders.get(extensionOf(path)) ?? "ts";
    return lineOfImport(this.#texts.get(path) ?? "", module, loader);
  }

  async #read(path: string): Promise<string> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = await this.#fresh(path);
    this.#texts.set(path, text);
    return text;
  }

  async #fresh(path: string): Promise<string> {
    const { fs, timeoutMs } = this.#options;
    const read = await fs.readFile(path, { cwd: dirname(path), maxBytes: maxFileBytes, timeoutMs });
    if (read.kind === "absent") throw new Error(`it cannot be read: ${read.detail ?? read.reason}`);
    return new TextDecoder().decode(read.bytes);
  }
}

/** Returns a mark of a file's state. It includes the change time, which cannot be reset. */
async function markOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? "gone" : [found.dev, found.ino, found.size, found.ctimeNs].join(" ");
}

export function isCode(path: string): boolean {
  return codeLoaders.has(extensionOf(path));
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
