import { ruleImports } from "@incipit/schema";
import type { FileTrust } from "@incipit/service-contract";
import { dirname, isAbsolute, join } from "node:path";
import { maxBytes, trustWords, type LeftOutRule, type RuleFile, type RuleFiles } from "./rule-files.ts";

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
 * - What is not put in stays as it is written, and is told to whoever asks how the prompt came about; but a path at which
 *   there is nothing may be somebody's name.
 */
export class ImportExpander {
  readonly #files: RuleFiles;
  /** Out of which no import leads; absolute. */
  readonly #within: string;
  readonly leftOut: LeftOutRule[] = [];
  /** Paths of all that is told. */
  readonly #told: Set<string>;
  #count = 0;

  constructor(files: RuleFiles, { within, told }: { readonly within: string; readonly told: Set<string> }) {
    this.#files = files;
    this.#within = within;
    this.#told = told;
  }

  async expand(file: RuleFile, depth = 0): Promise<ExpandedRule> {
    const pieces: string[] = [];
    const imported: ToldRule[] = [];
    let sizeBytes = file.sizeBytes;
    let at = 0;
    for (const { start, end, path } of ruleImports(file.text)) {
      const found = await this.#import(path, file, depth);
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
      pieces.push(file.text.slice(at, start), found.text.replace(/\n+$/, ""));
      imported.push({ file: found.own, trust: "trusted" }, ...found.imported);
      at = end;
    }
    pieces.push(file.text.slice(at));
    return { text: pieces.join(""), imported };
  }

  async #import(
    path: string,
    file: RuleFile,
    depth: number,
  ): Promise<(ExpandedRule & { readonly own: RuleFile }) | undefined> {
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
    const read = await this.#files.read(place, this.#within);
    if (read === undefined) return undefined;
    if (read.kind === "left-out") return this.#leave(place, read.leftOut.reason, read.leftOut.why);
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
    return { own, ...(await this.expand(own, depth + 1)) };
  }

  #leave(path: string, reason: LeftOutRule["reason"], why: string): undefined {
    this.leftOut.push({ path, reason, why });
  }
}
