import ignore, { type Ignore } from "ignore";

/** Folders that hold no work of the user's own. */
const skippedFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** What a folder's `.gitignore`, and those of the folders above, leave out. */
export class IgnoredPaths {
  readonly #rules: Ignore | undefined;
  readonly #folder: string;
  readonly #above: IgnoredPaths | undefined;

  /** @param folder Path from where the search begins, `""` or with a slash at its end. */
  constructor(gitignore: string | undefined, at: { readonly folder: string; readonly above?: IgnoredPaths }) {
    this.#folder = at.folder;
    this.#above = at.above;
    this.#rules = gitignore === undefined ? undefined : ignore({ ignorecase: false }).add(gitignore);
  }

  /** @param path From where the search begins, with a slash at the end of a folder. */
  has(path: string, name: string): boolean {
    if (path.endsWith("/") && skippedFolders.has(name)) return true;
    const { ignored = false, unignored = false } = this.#rules?.test(path.slice(this.#folder.length)) ?? {};
    // The nearest file that says something about it decides.
    return ignored || (!unignored && (this.#above?.has(path, name) ?? false));
  }
}
