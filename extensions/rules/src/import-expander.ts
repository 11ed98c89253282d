import { ruleImports, type RuleImport } from "@incipit/schema";
import type { FileTrust, LeftOutVariableFile } from "@incipit/service-contract";
import { dirname, isAbsolute, join } from "node:path";
import { MissingImports } from "./missing-import.ts";
import { maxBytes, trustWords, type RuleFile, type RuleFiles, type RuleRead } from "./rule-files.ts";

/** As the programs have it that read these files. */
const maxImportDepth = 5;
/** Counts for all files of one variable together, also those that are not there: each is looked for. */
const maxImports = 100;

export interface ToldRule {
  readonly file: RuleFile;
  /** `null`: it is the user's own. */
  readonly trust: FileTrust | null;
}

/** What one file becomes with the files that it imports. */
export interface ExpandedRule {
  readonly text: string;
  readonly imported: readonly ToldRule[];
}

/**
 * Puts files in the place of the `@path` that names them.
 *
 * - An import needs a person's trust, whatever the host does with other texts that nobody trusts: whoever wrote the file
 *   could have any other one of the repository told, such as one that holds keys.
 * - A file is told once; one that imports itself, by whatever way, ends there.
 * - What is not put in stays as it is written, and is named to whoever asks how the prompt came about. Where there is no
 *   file, it is named only if it is written as a path: `@name` may be somebody's name.
 */
export class ImportExpander {
  readonly #files: RuleFiles;
  readonly #missing: MissingImports;
  /** Out of which no import leads; absolute. */
  readonly #within: string;
  readonly leftOut: LeftOutVariableFile[] = [];
  /** Paths of all that is told. */
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
        `${JSON.stringify(file.path)} imports it, and only paths from there are followed`,
      );
    if (this.#count >= maxImports) {
      if (this.#count++ === maxImports)
        this.#leave(place, "too-many", `it and what comes behind: ${maxImports} imports are looked for`);
      return undefined;
    }
    this.#count += 1;
    const { read, end } = await this.#read(written, file);
    if (read === undefined) {
      const missing = await this.#missing.nameOf(written, dirname(file.path));
      if (missing === undefined) return undefined;
      return this.#leave(
        missing,
        "not-found",
        `${JSON.stringify(file.path)} imports it, and there is no such file`,
      );
    }
    if (read.kind === "left-out") return this.#leave(read.leftOut.path, read.leftOut.reason, read.leftOut.why);
    const own = read.file;
    if (this.#told.has(own.path))
      return this.#leave(
        own.path,
        "not-applied",
        `${JSON.stringify(file.path)} imports it, and it is told already`,
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

  /** The first reading at which there is a file; without one, the first at which there is anything. */
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
