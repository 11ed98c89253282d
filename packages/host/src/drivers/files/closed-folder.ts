import { statSync, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** What the system tells of a process: its variables and its memory, keys among them. */
const insideOfProcess = /^\/proc\/\d+\/(?:task\/\d+\/)?(?:environ|mem)$/;
/** How long a folder that was looked at counts as the same one: a search asks for every file in it. */
const freshMs = 1_000;

type Identity = Pick<Stats, "dev" | "ino">;

interface OwnFiles {
  readonly found: Promise<readonly Identity[]>;
  readonly untilMs: number;
}

/**
 * The host's own data, which no grant opens: neither under its path nor under another one that leads there. It is known by
 * device and inode, so that a mount of it, another spelling or a renaming of a folder above changes nothing.
 */
export class ClosedFolder {
  readonly #path: string;
  readonly #identity: Identity;
  #ownFiles: OwnFiles | undefined;
  /** The last folder that was found to lie elsewhere. */
  #elsewhere: { readonly path: string; readonly untilMs: number } | undefined;

  /** @param path Absolute, links resolved; the folder is there. */
  constructor(path: string) {
    this.#path = path;
    this.#identity = statSync(path);
  }

  /** Whether a path is the folder or lies in it, as it is written. */
  holdsName(path: string): boolean {
    return path === this.#path || path.startsWith(`${this.#path}${sep}`);
  }

  /** Whether a path, links followed, is the folder or lies in it; or is the inside of a process. */
  async holds(realPath: string): Promise<boolean> {
    if (this.holdsName(realPath) || insideOfProcess.test(realPath)) return true;
    const parent = dirname(realPath);
    const isKnown = this.#elsewhere?.path === parent && performance.now() < this.#elsewhere.untilMs;
    const looked = isKnown ? [realPath] : pathsTo(realPath);
    const found = await Promise.all(looked.map((path) => stat(path).catch(() => undefined)));
    if (found.some((stats) => stats !== undefined && isSame(stats, this.#identity))) return true;
    if (!isKnown) this.#elsewhere = { path: parent, untilMs: performance.now() + freshMs };
    return false;
  }

  /** Whether an open file is one of the folder's under another name: a hard link, or a mount of it alone. */
  async holdsFile(file: Identity): Promise<boolean> {
    if (file.dev !== this.#identity.dev) return false;
    const before = this.#ownFiles;
    const known = before !== undefined && performance.now() < before.untilMs ? before : this.#lookAgain();
    const isOwn = async ({ found }: OwnFiles): Promise<boolean> => (await found).some((own) => isSame(own, file));
    if (!(await isOwn(known))) return false;
    // A file that is gone leaves its inode to the next one that is made, which may be anybody's.
    return known !== before || isOwn(this.#lookAgain());
  }

  /** Whether a folder's entry is the folder itself. */
  isEntry(entry: Identity): boolean {
    return isSame(entry, this.#identity);
  }

  #lookAgain(): OwnFiles {
    return (this.#ownFiles = { found: this.#listFiles(), untilMs: performance.now() + freshMs });
  }

  async #listFiles(): Promise<readonly Identity[]> {
    const names = await readdir(this.#path).catch(() => []);
    const found = await Promise.all(names.map((name) => stat(join(this.#path, name)).catch(() => [])));
    return found.flat();
  }
}

/** A path and the folders above it. */
function pathsTo(path: string): readonly string[] {
  const paths = [path];
  for (let above = dirname(path); above !== paths.at(-1); above = dirname(above)) paths.push(above);
  return paths;
}

function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
