import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Stats } from "node:fs";
import type { ClosedFolder } from "./closed-folder.ts";

/** As many links as Linux follows in one path. */
const maxLinks = 40;

/** The folders and files of a grant, for one working folder; the host's own data is none of them, whatever was granted. */
export class GrantedPaths {
  readonly #roots: readonly string[];
  readonly #closed: ClosedFolder | undefined;
  #realRoots: Promise<readonly string[]> | undefined;

  /** @param roots Absolute, or `$cwd`, or below `$cwd`; `true`: everything. */
  constructor(
    roots: true | readonly string[],
    options: { readonly cwd: string; readonly closed: ClosedFolder | undefined },
  ) {
    const given = roots === true ? ["/"] : roots;
    this.#roots = given.map((root) => resolve(root.replace(/^\$cwd(?=\/|$)/, () => options.cwd)));
    this.#closed = options.closed;
  }

  /** Whether a path may be looked for: judged as it is written, nothing at its end is touched. */
  async allowsName(path: string): Promise<boolean> {
    if (this.#closed?.holdsName(path) === true) return false;
    return isWithinOne(this.#roots, path) || isWithinOne(await this.#whereRootsLead(), path);
  }

  /** Whether what a path has led to, links followed, is granted. */
  async allowsReal(realPath: string): Promise<boolean> {
    if (!isWithinOne(await this.#whereRootsLead(), realPath)) return false;
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

  #whereRootsLead(): Promise<readonly string[]> {
    return (this.#realRoots ??= Promise.all(this.#roots.map((root) => realpath(root).catch(() => root))));
  }
}

/** Where the links of an absolute path lead, also when nothing is there: its end tells what was looked for. */
export async function leadsTo(path: string): Promise<string> {
  let at = "/";
  let links = 0;
  const ahead = path.split("/").toReversed();
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
    if (isAbsolute(target)) at = "/";
    ahead.push(...target.split("/").toReversed());
  }
  return at;
}

function isWithinOne(roots: readonly string[], path: string): boolean {
  return roots.some((root) => {
    const rest = relative(root, path);
    return !isAbsolute(rest) && rest !== ".." && !rest.startsWith("../");
  });
}
