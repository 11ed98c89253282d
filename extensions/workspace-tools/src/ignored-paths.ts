import { IgnoreRules } from "./ignore-rules.ts";

const dependencyFolder = "node_modules";
/** Longest rules on one path, those of the folders above among them; a file that goes over it does not count. */
const maxRulesLength = 65_536;

/** What a folder's `.gitignore`, and those of the folders above, leave out. */
export class IgnoredPaths {
  /** Those with rules, the nearest first. */
  readonly #files: readonly { readonly folder: string; readonly rules: IgnoreRules }[];
  /** What further rules may have. */
  readonly #roomLength: number;

  /** @param folder Path from where the search begins, `""` or with a slash at its end. */
  constructor(gitignore = "", { folder, above }: { readonly folder: string; readonly above?: IgnoredPaths }) {
    const filesAbove = above === undefined ? [] : above.#files;
    const room = above === undefined ? maxRulesLength : above.#roomLength;
    const counts = gitignore !== "" && gitignore.length <= room;
    this.#files = counts ? [{ folder, rules: new IgnoreRules(gitignore) }, ...filesAbove] : filesAbove;
    this.#roomLength = counts ? room - gitignore.length : room;
  }

  /** @param path From where the search begins, with a slash at the end of a folder. */
  has(path: string, name: string): boolean {
    if (isVersionControl(path, name) || (path.endsWith("/") && name === dependencyFolder)) return true;
    // The nearest file that says something about it decides.
    for (const { folder, rules } of this.#files) {
      const verdict = rules.verdictOn(path.slice(folder.length));
      if (verdict !== undefined) return verdict === "ignored";
    }
    return false;
  }
}

/** Whether it is a folder that git keeps for itself. */
export function isVersionControl(path: string, name: string): boolean {
  return path.endsWith("/") && name === ".git";
}
