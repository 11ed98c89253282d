import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import type { Stats } from "node:fs";
import type { ClosedFolder } from "./closed-folder.ts";

/** As many links as Linux follows in one path. */
const maxLinks = 40;

/** The folders and files of a grant, for one working folder; the host's own data is none of them, whatever was granted. */
export class GrantedPaths {
  /** `undefined`: everything, which has more than one root where there are drives. */
  readonly #roots: readonly string[] | undefined;
  readonly #closed: ClosedFolder | undefined;
  #realRoots: Promise<readonly string[]> | undefined;

  /** @param roots Absolute, or `$cwd`, or below `$cwd`; `true`: everything. */
  constructor(
    roots: true | readonly string[],
    options: { readonly cwd: string; readonly closed: ClosedFolder | undefined },
  ) {
    this.#roots =
      roots === true
        ? undefined
        : roots
            .map((root) => root.replace(/^\$cwd(?=\/|$)/, () => options.cwd))
            .filter((root) => isAbsolute(root)) // What is absolute on another system alone is nothing on this one.
            .map((root) => resolve(root));
    this.#closed = options.closed;
  }

  /** Whether a path may be looked for: judged as it is written, nothing at its end is touched. */
  async allowsName(path: string): Promise<boolean> {
    if (this.#closed?.holdsName(path) === true) return false;
    if (this.#roots === undefined) return true;
    return isWithinOne(this.#roots, path) || isWithinOne(await this.#whereRootsLead(this.#roots), path);
  }

  /** Whether what a path has led to, links followed, is granted. */
  async allowsReal(realPath: string): Promise<boolean> {
    if (this.#roots !== undefined && !isWithinOne(await this.#whereRootsLead(this.#roots), realPath)) return false;
    return this.#closed === undefined || !(await this.#closed.holds(realPath));
  }

  /** Whether an open file may be read that lies where it is allowed: it can have another name elsewhere. */
  async allowsFile(file: Pick<Stats, "dev" | "ino">): Promise<boolean> {
    return this.#closed === undefined || !(await this.#closed.holdsFile(file));
  }

  /** Whether a folder's entry is told of. */
  shows(entry: Stats): boolean {
    return this.#closed?.isEntry(entry) !== true;
  }

  #whereRootsLead(roots: readonly string[]): Promise<readonly string[]> {
    return (this.#realRoots ??= Promise.all(roots.map((root) => realpath(root).catch(() => root))));
  }
}

/** Where the links of an absolute path lead, also when nothing is there: its end tells what was looked for. */
export async function leadsTo(path: string): Promise<string> {
  let at = parse(path).root;
  let links = 0;
  const ahead = partsOf(path);
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const target = links < maxLinks ? await readlink(next).catch(() => undefined) : undefined;
    if (target === undefined) {
      at = next;
      continue;
    }
    links += 1;
    if (isAbsolute(target)) at = resolve(at, parse(target).root);
    ahead.push(...partsOf(target));
  }
  return at;
}

/** The last one first. */
function partsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep).toReversed();
}

function isWithinOne(roots: readonly string[], path: string): boolean {
  return roots.some((root) => {
    const rest = relative(root, path);
    return !isAbsolute(rest) && rest !== ".." && !rest.startsWith(`..${sep}`);
  });
}
