import { relativeWithin } from "@incipit/common";
import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import type { Stats } from "node:fs";
import type { ClosedFolder } from "./closed-folder.ts";

/** Links that Linux follows in one path. */
const maxLinks = 40;

export class GrantedPaths {
  /** `undefined` grants everything; where drives exist there is more than one root. */
  readonly #roots: readonly string[] | undefined;
  readonly #closed: ClosedFolder | undefined;
  #realRoots: Promise<readonly string[]> | undefined;

  /** Roots are absolute, `$cwd`, or below `$cwd`; `true` grants everything. */
  constructor(
    roots: true | readonly string[],
    options: { readonly cwd: string; readonly closed: ClosedFolder | undefined },
  ) {
    this.#roots =
      roots === true
        ? undefined
        : roots
            .map((root) => root.replace(/^\$cwd(?=\/|$)/, () => options.cwd))
            .filter((root) => isAbsolute(root)) // Absolute only on another operating system.
            .map((root) => resolve(root));
    this.#closed = options.closed;
  }

  /** Does not touch the file. */
  async allowsName(path: string): Promise<boolean> {
    if (this.#closed?.holdsName(path) === true) return false;
    if (this.#roots === undefined) return true;
    return isWithinOne(this.#roots, path) || isWithinOne(await this.#whereRootsLead(this.#roots), path);
  }

  async allowsReal(realPath: string): Promise<boolean> {
    if (this.#roots !== undefined && !isWithinOne(await this.#whereRootsLead(this.#roots), realPath)) return false;
    return this.#closed === undefined || !(await this.#closed.holds(realPath));
  }

  /** The open file may be a hard link to the host's own data. */
  async allowsFile(file: Pick<Stats, "dev" | "ino">): Promise<boolean> {
    return this.#closed === undefined || !(await this.#closed.holdsFile(file));
  }

  shows(entry: Stats): boolean {
    return this.#closed?.isEntry(entry) !== true;
  }

  #whereRootsLead(roots: readonly string[]): Promise<readonly string[]> {
    return (this.#realRoots ??= Promise.all(roots.map((root) => realpath(root).catch(() => root))));
  }
}

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

function partsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep).toReversed();
}

function isWithinOne(roots: readonly string[], path: string): boolean {
  return roots.some((root) => relativeWithin(root, path) !== undefined);
}
