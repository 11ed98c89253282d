import { relativeWithin } from "@incipit/common";
import { readlink, realpath, type FileHandle } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import type { Stats } from "node:fs";
import type { ClosedFolder } from "./closed-folder.ts";
import { errorCode, errorMessage } from "../../failures/error-code.ts";

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

  /** Checks an open file, which may be a hard link to the host's own data. */
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

async function leadsTo(path: string): Promise<string> {
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

export interface FileAbsence {
  readonly reason: "not-found" | "denied" | "not-a-file" | "failed";
  readonly detail?: string;
}

export function fileAbsence(error: unknown): FileAbsence {
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
    case "ELOOP":
      return { reason: "not-found" };
    case "ENXIO":
    case "ENODEV":
    case "EISDIR":
      return { reason: "not-a-file" };
    case "EACCES":
    case "EPERM":
      return { reason: "denied", detail: "the system does not permit it" };
    case "EROFS":
      return { reason: "denied" };
    default:
      return { reason: "failed", detail: errorMessage(error) };
  }
}

/** `PATH_MAX` of Linux. */
const maxPathBytes = 4_096;

type Found =
  /** For `missing`, where the file would be. Links resolved. */
  { readonly kind: "found" | "missing"; readonly path: string } | ({ readonly kind: "absent" } & FileAbsence);

export async function findGranted(path: string, cwd: string, granted: GrantedPaths): Promise<Found> {
  const named = resolve(cwd, path);
  // The result must not reveal whether a file outside the grant exists.
  if (!(await granted.allowsName(named))) return { kind: "absent", reason: "denied" };
  if (named.includes("\u0000") || Buffer.byteLength(named) > maxPathBytes)
    return { kind: "absent", reason: "not-found" };
  let real: string;
  try {
    real = await realpath(named);
  } catch (error) {
    // A dangling link must not reveal it either.
    const missing = await leadsTo(named);
    if (!(await granted.allowsReal(missing))) return { kind: "absent", reason: "denied" };
    return errorCode(error) === "ENOENT"
      ? { kind: "missing", path: missing }
      : { kind: "absent", ...fileAbsence(error) };
  }
  if (!(await granted.allowsReal(real))) return { kind: "absent", reason: "denied" };
  return { kind: "found", path: real };
}

/** A folder may have been swapped for a link before the file was opened. */
export async function pathOfHandle(handle: FileHandle, fallback: string): Promise<string> {
  let path: string;
  try {
    // The link is read but not followed: its target may be removed or replaced by now.
    path = await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return fallback; // Only Linux has /proc; elsewhere the earlier check has to do.
  }
  const isRemoved = (await handle.stat()).nlink === 0;
  return isRemoved ? path.replace(/ \(deleted\)$/, "") : path;
}
