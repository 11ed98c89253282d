import { ruleImports, type RuleImport, type ImportReading } from "@incipit/schema";
import type { FileTrust, LeftOutVariableFile } from "@incipit/service-contract";
import { dirname, isAbsolute, join } from "node:path";
import { maxBytes, trustWords, type RuleFile, type RuleFiles, type RuleRead } from "./rule-files.ts";

/** Maximum depth of imports, the same as in the programs that read these files. */
const maxImportDepth = 5;
/** Maximum number of imports per variable, including missing files, since each is looked up. */
const maxImports = 100;

export interface ToldRule {
  readonly file: RuleFile;
  readonly trust: FileTrust | null;
}

export interface ExpandedRule {
  readonly text: string;
  readonly imported: readonly ToldRule[];
}

/**
 * Replaces each `@path` with the content of that file.
 *
 * - An import has to be trusted by the user under any policy: otherwise the author of a context file could include
 * any file of the repository, such as one that holds keys.
 * - Each file is included once, which ends cycles.
 * - An unresolved import stays as written. A missing file is only reported when the text looks like a path: `@name`
 * may be a person.
 */
export class ImportExpander {
  readonly #files: RuleFiles;
  readonly #missing: MissingImports;
  readonly #within: string;
  readonly leftOut: LeftOutVariableFile[] = [];
  readonly #told: Set<string>;
  #count = 0;

  constructor(files: RuleFiles, { within, told }: { readonly within: string; readonly told: Set<string> }) {
    this.#files = files;
    this.#missing = new MissingImports(files, within);
    this.#within = within;
    this.#told = told;
  }

  async expand(file: RuleFile, depth = 0): Promise<ExpandedRule> {
    const pieces: string[] = [];
    const imported: ToldRule[] = [];
    let sizeBytes = file.sizeBytes;
    let at = 0;
    for (const written of ruleImports(file.text)) {
      const found = await this.#import(written, file, depth);
      if (found === undefined) continue;
      sizeBytes += Buffer.byteLength(found.text);
      if (sizeBytes > maxBytes) {
        this.#leave(
          found.own.path,
          "too-large",
          `with it, ${JSON.stringify(file.path)} would have more than ${maxBytes} bytes`,
        );
        for (const { file: one } of [...found.imported, { file: found.own }]) this.#told.delete(one.path);
        break;
      }
      pieces.push(file.text.slice(at, written.start), found.text.replace(/\n+$/, ""));
      imported.push({ file: found.own, trust: "trusted" }, ...found.imported);
      at = found.end;
    }
    pieces.push(file.text.slice(at));
    return { text: pieces.join(""), imported };
  }

  async #import(
    written: RuleImport,
    file: RuleFile,
    depth: number,
  ): Promise<(ExpandedRule & { readonly own: RuleFile; readonly end: number }) | undefined> {
    const { path } = written;
    const place = isAbsolute(path) ? path : join(dirname(file.path), path);
    if (isAbsolute(path) || path.startsWith("~"))
      return this.#leave(
        path,
        "denied",
        `${JSON.stringify(file.path)} imports it, and only relative paths are followed`,
      );
    if (this.#count >= maxImports) {
      if (this.#count++ === maxImports)
        this.#leave(place, "too-many", `it and the following: the limit is ${maxImports} imports`);
      return undefined;
    }
    this.#count += 1;
    const { read, end } = await this.#read(written, file);
    if (read === undefined) {
      const missing = await this.#missing.nameOf(written, dirname(file.path));
      if (missing === undefined) return undefined;
      return this.#leave(missing, "not-found", `${JSON.stringify(file.path)} imports it, but it does not exist`);
    }
    if (read.kind === "left-out") return this.#leave(read.leftOut.path, read.leftOut.reason, read.leftOut.why);
    const own = read.file;
    if (this.#told.has(own.path))
      return this.#leave(
        own.path,
        "not-applied",
        `${JSON.stringify(file.path)} imports it, but it is already included`,
      );
    if (depth >= maxImportDepth)
      return this.#leave(own.path, "too-many", `it is more than ${maxImportDepth} imports deep`);
    const [trust = "not-trusted"] = await this.#files.judge([own]);
    if (trust !== "trusted")
      return this.#leave(
        own.path,
        "not-trusted",
        `${JSON.stringify(file.path)} imports it, and ${trustWords(trust)}`,
      );
    this.#told.add(own.path);
    return { own, end, ...(await this.expand(own, depth + 1)) };
  }

  async #read(
    written: RuleImport,
    file: RuleFile,
  ): Promise<{ readonly read: RuleRead | undefined; readonly end: number }> {
    let other: RuleRead | undefined;
    for (const { path, end } of [written, ...written.others]) {
      const read = await this.#files.read(join(dirname(file.path), path), this.#within);
      if (read?.kind === "read") return { read, end };
      other ??= read;
    }
    return { read: other, end: written.end };
  }

  #leave(path: string, reason: LeftOutVariableFile["reason"], why: string): undefined {
    this.leftOut.push({ path, reason, why });
  }
}

/** Distinguishes files from words such as `@app.route`. */
const textFile =
  /\.(?:md|mdx|mdc|markdown|txt|rst|adoc|org|json|jsonc|json5|ya?ml|toml|xml|html|css|csv|ini|conf|cfg|sh|py|[cm]?[jt]sx?|go|rs|rb|java|kt|swift|sql|proto|graphql)$/i;

class MissingImports {
  readonly #files: RuleFiles;
  readonly #within: string;

  constructor(files: RuleFiles, within: string) {
    this.#files = files;
    this.#within = within;
  }

  /**
   * `undefined` for text that does not look like a path, which has the extension of a text file, begins with `./` or
   * `../`, or is in an existing folder.
   */
  async nameOf(written: RuleImport, folder: string): Promise<string | undefined> {
    for (const reading of [written, ...written.others])
      if (textFile.test(reading.path) && (await this.#isPath(written, reading, folder)))
        return join(folder, reading.path);
    return (await this.#isPath(written, written, folder)) ? join(folder, written.path) : undefined;
  }

  async #isPath(written: RuleImport, { path, end }: ImportReading, folder: string): Promise<boolean> {
    const isWhole = end === written.end;
    if (isWhole && (textFile.test(path) || /^\.{1,2}\//.test(path))) return true;
    return path.includes("/") && this.#files.hasFolder(dirname(join(folder, path)), this.#within);
  }
}
