import { statSync, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** Reveals keys in the environment or memory of a process. */
const insideOfProcess = /^\/proc\/\d+\/(?:task\/\d+\/)?(?:environ|mem)$/;
/** A search checks every file of a folder. */
const freshMs = 1_000;

type Identity = Pick<Stats, "dev" | "ino">;

interface OwnFiles {
  readonly found: Promise<readonly Identity[]>;
  readonly untilMs: number;
}

/**
 * No grant opens the host's own data. Device and inode identify it, so mounts, other spellings and renamed parents make
 * no difference.
 */
export class ClosedFolder {
  readonly #path: string;
  readonly #identity: Identity;
  #ownFiles: OwnFiles | undefined;
  #elsewhere: { readonly path: string; readonly untilMs: number } | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#identity = statSync(path);
  }

  holdsName(path: string): boolean {
    return path === this.#path || path.startsWith(`${this.#path}${sep}`);
  }

  /** Returns whether a path is in the closed folder, or reveals the environment or memory of a process. */
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

  /** A hard link, or a mount of the file. */
  async holdsFile(file: Identity): Promise<boolean> {
    if (file.dev !== this.#identity.dev) return false;
    const before = this.#ownFiles;
    const known = before !== undefined && performance.now() < before.untilMs ? before : this.#lookAgain();
    const isOwn = async ({ found }: OwnFiles): Promise<boolean> => (await found).some((own) => isSame(own, file));
    if (!(await isOwn(known))) return false;
    // The inode of a deleted file may have been reused by an unrelated file.
    return known !== before || isOwn(this.#lookAgain());
  }

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

function pathsTo(path: string): readonly string[] {
  const paths = [path];
  for (let above = dirname(path); above !== paths.at(-1); above = dirname(above)) paths.push(above);
  return paths;
}

function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
