import { IgnoreRules } from "./ignore-rules.ts";

const dependencyFolder = "node_modules";
/** For all rules of a path; a file beyond the limit is not used. */
const maxRulesLength = 65_536;

export class IgnoredPaths {
  readonly #files: readonly { readonly folder: string; readonly rules: IgnoreRules }[];
  readonly #roomLength: number;

  constructor(gitignore = "", { folder, above }: { readonly folder: string; readonly above?: IgnoredPaths }) {
    const filesAbove = above === undefined ? [] : above.#files;
    const room = above === undefined ? maxRulesLength : above.#roomLength;
    const counts = gitignore !== "" && gitignore.length <= room;
    this.#files = counts ? [{ folder, rules: new IgnoreRules(gitignore) }, ...filesAbove] : filesAbove;
    this.#roomLength = counts ? room - gitignore.length : room;
  }

  has(path: string, name: string): boolean {
    if (isVersionControl(path, name) || (path.endsWith("/") && name === dependencyFolder)) return true;
    // The nearest file with a matching rule decides.
    for (const { folder, rules } of this.#files) {
      const verdict = rules.verdictOn(path.slice(folder.length));
      if (verdict !== undefined) return verdict === "ignored";
    }
    return false;
  }
}

export function isVersionControl(path: string, name: string): boolean {
  return path.endsWith("/") && name === ".git";
}
