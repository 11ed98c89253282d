import { shorten } from "@incipit/common";
import { basename, dirname, join, resolve } from "node:path";
import type { FileRead } from "@incipit/kernel";
import type { AbsentReason } from "@incipit/schema";
import type { GitOptions } from "./run-git.ts";
import { decodeText } from "./text-bytes.ts";

/** As reported by git: absolute, with links resolved. */
export interface GitPlace {
  readonly gitDir: string;
  readonly top: string;
  /** The working folder is `top` or below it. */
  readonly isInside: boolean;
}

export interface Refusal {
  readonly reason: AbsentReason;
  readonly detail: string;
}

const maxPointerBytes = 4_096;

/** Git's limit for chains of symbolic refs. */
const maxRefs = 5;

/** Name the branch of an interrupted operation: https://git-scm.com/docs/git-rebase and git-bisect. */
const interrupted = [
  ["rebase-merge/head-name", "rebasing"],
  ["rebase-apply/head-name", "rebasing"],
  ["BISECT_START", "bisecting"],
] as const;

/**
 * Rejects a repository outside the working folder, so that a foreign folder discloses nothing of other
 * repositories. `.git` must be a folder, or a file that names a worktree or submodule that points back here; it may
 * lead elsewhere only if `[prompt] read` allows it.
 *
 * Files are subject to the same grant as `file:`, with the repository's folder as `$cwd`.
 */
export class GitPlaceCheck {
  readonly place: Promise<Refusal | undefined>;
  /** For every file from which the branch name is read, from `HEAD` to the last ref. */
  readonly branch: Promise<Refusal | undefined>;
  readonly #options: GitOptions;
  readonly #place: GitPlace;
  #common: Promise<FileRead> | undefined;

  constructor(place: GitPlace, options: GitOptions) {
    this.#place = place;
    this.#options = options;
    this.place = this.#checkPlace();
    this.branch = this.#checkBranch();
    // Prevents an unhandled rejection of a check for a wrong guess.
    for (const check of [this.place, this.branch]) check.catch(() => {});
  }

  get top(): string {
    return this.#place.top;
  }

  isFor({ gitDir, top, isInside }: GitPlace): boolean {
    return gitDir === this.#place.gitDir && top === this.#place.top && isInside === this.#place.isInside;
  }

  async #checkPlace(): Promise<Refusal | undefined> {
    const { gitDir, top } = this.#place;
    const [commonDir, isOwn] = await Promise.all([this.#commonDir(), this.#isOwn()]);
    if (commonDir === undefined) return refusal("commondir", "denied");
    if (isOwn) return undefined;
    const { cwd } = this.#options;
    const looks = [gitDir, top, commonDir].map((folder) => this.#leadsOut(join(folder, "HEAD"), cwd));
    const refused = (await Promise.all(looks)).find((look) => look !== undefined);
    return (
      refused && {
        ...refused,
        detail: `${shown(gitDir)} and ${shown(top)}, which .git names, are not both allowed`,
      }
    );
  }

  async #checkBranch(): Promise<Refusal | undefined> {
    const { gitDir } = this.#place;
    const [commonDir = gitDir, head] = await Promise.all([this.#commonDir(), this.#read("HEAD", gitDir)]);
    let read = head;
    let ref = "HEAD";
    for (let step = 0; step < maxRefs && isHarmless(read); step += 1) {
      const next = /^ref:\s*(\S+)/.exec(textOf(read) ?? "")?.[1];
      if (next === undefined) break;
      ref = next;
      read = await this.#read(ref, commonDir);
    }
    if (read.kind === "read" || read.reason !== "not-found") return refusalOf(ref, read);
    const lists = ["packed-refs", "reftable/tables.list"].map((list) => this.#leadsOut(list, commonDir));
    return (await Promise.all(lists)).find((look) => look !== undefined);
  }

  /**
   * If git reports no branch name: the branch of a repository without commits, the one being rebased or bisected, or
   * the detached commit.
   */
  async headName(): Promise<string | undefined> {
    const { gitDir } = this.#place;
    const head = textOf(await this.#read("HEAD", gitDir))?.trimEnd() ?? "";
    const unborn = branchOf(/^ref:\s*refs\/heads\/(.+)$/.exec(head)?.[1]);
    if (unborn !== undefined || !/^[0-9a-f]{40,64}$/.test(head)) return unborn;
    for (const [file, doing] of interrupted) {
      const read = await this.#read(file, gitDir);
      if (read.kind === "absent") continue;
      const branch = branchOf(
        textOf(read)
          ?.trimEnd()
          .replace(/^refs\/heads\//, ""),
      );
      return branch === undefined ? `HEAD (${doing}, at ${head.slice(0, 7)})` : `${branch} (${doing})`;
    }
    return `HEAD (detached at ${head.slice(0, 7)})`;
  }

  /** Index, ignore patterns and object locations. */
  async status(): Promise<Refusal | undefined> {
    const { gitDir } = this.#place;
    const commonDir = (await this.#commonDir()) ?? gitDir;
    const looks = await Promise.all([
      this.branch,
      this.#leadsOut("index", gitDir),
      this.#leadsOut("info/exclude", commonDir),
      this.#leadsOut("info/attributes", commonDir),
      this.#leadsOut("objects/pack", commonDir),
      this.#alternates(commonDir),
    ]);
    return looks.find((look) => look !== undefined);
  }

  async #isOwn(): Promise<boolean> {
    const { gitDir, top, isInside } = this.#place;
    if (!isInside) return false;
    if (gitDir === join(top, ".git")) return true;
    return isWorktree(gitDir) ? this.#isLinkedWorktree() : this.#isNamedHere();
  }

  /** A worktree's folder in the repository names the `.git` file that it belongs to. */
  async #isLinkedWorktree(): Promise<boolean> {
    const { gitDir, top } = this.#place;
    const pointer = textOf(await this.#read("gitdir", gitDir))?.trimEnd();
    if (pointer === undefined) return false;
    const gitFile = resolve(gitDir, pointer);
    const named = await this.#read(basename(gitFile), dirname(gitFile));
    return named.kind === "read" && named.path === join(top, ".git");
  }

  /**
   * Whether a `.git` file points to it, and it is within this folder, or is a submodule whose configuration names its
   * work tree.
   */
  async #isNamedHere(): Promise<boolean> {
    const { gitDir, top } = this.#place;
    const [gitFile, config] = await Promise.all([this.#read(".git", top), this.#read("config", gitDir)]);
    const named = /^gitdir: (.+)$/m.exec(textOf(gitFile) ?? "")?.[1];
    if (named === undefined) return false;
    const head = await this.#read("HEAD", resolve(top, named));
    if (head.kind !== "read" || head.path !== join(gitDir, "HEAD")) return false;
    return gitDir.startsWith(join(top, "/")) || /^\s*worktree\s*=/im.test(textOf(config) ?? "");
  }

  /** Location of refs and objects; `undefined` if a file that only a worktree may have names it. */
  async #commonDir(): Promise<string | undefined> {
    const { gitDir } = this.#place;
    const read = await (this.#common ??= this.#read("commondir", gitDir));
    if (read.kind === "absent") return read.reason === "not-found" ? gitDir : undefined;
    const named = resolve(gitDir, textOf(read)?.trimEnd() ?? "");
    return isWorktree(gitDir) && named === dirname(dirname(gitDir)) ? named : undefined;
  }

  async #alternates(commonDir: string): Promise<Refusal | undefined> {
    const name = "objects/info/alternates";
    const read = await this.#read(name, commonDir);
    const folders = textOf(read)?.split("\n") ?? [];
    const looks = folders
      .filter((folder) => folder !== "" && !folder.startsWith("#"))
      .map((folder) => this.#leadsOut(resolve(commonDir, "objects", folder, "pack"), this.#options.cwd));
    const isElsewhere = (await Promise.all(looks)).some((look) => look !== undefined);
    return isElsewhere ? refusal(name, "denied") : refusalOf(name, read);
  }

  async #leadsOut(path: string, folder: string): Promise<Refusal | undefined> {
    return refusalOf(path, await this.#read(path, folder));
  }

  #read(path: string, folder: string): Promise<FileRead> {
    const { fs, timeoutMs, signal } = this.#options;
    return fs.readFile(path, { cwd: folder, maxBytes: maxPointerBytes, timeoutMs, signal });
  }
}

function isWorktree(gitDir: string): boolean {
  return basename(dirname(gitDir)) === "worktrees";
}

/** A missing, irregular or too large file within the grant discloses nothing. */
function isHarmless(read: FileRead): boolean {
  return read.kind === "read" || ["not-found", "not-a-file", "too-large"].includes(read.reason);
}

function refusalOf(path: string, read: FileRead): Refusal | undefined {
  return read.kind === "read" || isHarmless(read) ? undefined : refusal(path, read.reason);
}

function refusal(path: string, reason: AbsentReason): Refusal {
  const why =
    reason === "denied" ? "is, or leads, outside of what [prompt] read allows" : `could not be read: ${reason}`;
  return { reason, detail: `${shown(path)} of the repository ${why}` };
}

function shown(path: string): string {
  return JSON.stringify(shorten(path, 200));
}

/**
 * Allowed by git (https://git-scm.com/docs/git-check-ref-format). Excludes commit hashes and "no branch"
 * placeholders.
 */
function branchOf(name: string | undefined): string | undefined {
  const isBranch = name !== undefined && /^[^\s~^:?*[\\\p{Cc}.][^\s~^:?*[\\\p{Cc}]*$/u.test(name);
  return isBranch && !/^[0-9a-f]{40,64}$/.test(name) ? name : undefined;
}

function textOf(read: FileRead): string | undefined {
  return read.kind === "read" ? decodeText(read.bytes) : undefined;
}
