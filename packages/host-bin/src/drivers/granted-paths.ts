import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

/** As many links as Linux follows in one path. */
const maxLinks = 40;

/** The folders and files of a grant, for one working folder. */
export class GrantedPaths {
  readonly #roots: readonly string[];
  #realRoots: Promise<readonly string[]> | undefined;

  /** @param roots Absolute, or `$cwd`, or below `$cwd`. */
  constructor(roots: readonly string[], options: { readonly cwd: string }) {
    this.#roots = roots.map((root) => resolve(root.replace(/^\$cwd(?=\/|$)/, () => options.cwd)));
  }

  /** Whether a path may be looked for: judged as it is written, nothing at its end is touched. */
  async allowsName(path: string): Promise<boolean> {
    return isWithinOne(this.#roots, path) || isWithinOne(await this.#whereRootsLead(), path);
  }

  /** Whether what a path has led to, links followed, is granted. */
  async allowsReal(realPath: string): Promise<boolean> {
    return isWithinOne(await this.#whereRootsLead(), realPath);
  }

  #whereRootsLead(): Promise<readonly string[]> {
    return (this.#realRoots ??= Promise.all(this.#roots.map((root) => realpath(root).catch(() => root))));
  }
}

/** Where the links of an absolute path lead, also when nothing is there: its end tells what was looked for. */
export async function leadsTo(path: string): Promise<string> {
  let at = "/";
  let links = 0;
  const ahead = partsOf(path).toReversed();
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
    ahead.push(...partsOf(target).toReversed());
  }
  return at;
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function isWithinOne(roots: readonly string[], path: string): boolean {
  return roots.some((root) => {
    const rest = relative(root, path);
    return !isAbsolute(rest) && rest !== ".." && !rest.startsWith("../");
  });
}
