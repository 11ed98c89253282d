import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { makeFolders } from "../disk/make-folders.ts";
import { errorCode } from "../failures/error-code.ts";
import { writeFailure } from "../failures/write-failure.ts";
import { FolderLock } from "./folder-lock.ts";
import { readOrCreateToken } from "./token.ts";

/** `url`: where its HTTP API is; absent: it has none. */
const holderSchema = z.object({ pid: z.int(), url: z.string().exactOptional(), since: z.string() });
/** The host that uses a data folder. */
export type Holder = z.infer<typeof holderSchema>;

/** `held` without a holder: the host is starting or ending. */
export type FolderState =
  | { readonly kind: "free" }
  | { readonly kind: "held"; readonly holder: Holder | undefined };

/** Another host holds the data folder. */
export class DataFolderHeld extends Error {
  override readonly name = "DataFolderHeld";

  constructor(path: string, holder: Holder | undefined) {
    const { who, what } = wordsOf(holder);
    super(`The data folder "${path}" is held by ${who}; ${what}, or take another folder (--data DIR)`);
  }
}

function wordsOf(holder: Holder | undefined): { readonly who: string; readonly what: string } {
  const what = "use that one";
  if (holder === undefined) return { who: "another host, which is starting or ending", what };
  const { pid, url, since } = holder;
  if (url !== undefined) return { who: `the host with process id ${pid} at ${url}, since ${since}`, what };
  return { who: `the host with process id ${pid}, since ${since}, which has no HTTP API`, what: "end it" };
}

/** Files of one host: the data, the token, the lock, and who holds it. One host at a time has it. */
export class DataFolder implements Disposable {
  readonly path: string;
  readonly token: string;
  readonly #lock: FolderLock;
  #isOpen = true;

  private constructor(path: string, token: string, lock: FolderLock) {
    this.path = path;
    this.token = token;
    this.#lock = lock;
  }

  /** @throws {DataFolderHeld} @throws {Error} as `createDataFolder`. */
  static open(path: string): DataFolder {
    createDataFolder(path);
    // What a host left that went without a word is away before the folder counts as held: whoever looked in between would take
    // its address for that of this one.
    const beforeHeld = (): void => rmSync(holderFile(path), { force: true });
    const lock = used(path, () => FolderLock.take(path, { beforeHeld }));
    if (lock === undefined) throw new DataFolderHeld(path, readHolder(path));
    try {
      return new DataFolder(path, ownToken(path), lock);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  /** Who has the folder; only the lock proves it. */
  static look(path: string): FolderState {
    return used(path, () => FolderLock.isTaken(path))
      ? { kind: "held", holder: readHolder(path) }
      : { kind: "free" };
  }

  /**
   * Whether `holder`, as it was found, is who has the folder: else somebody else may listen at its address, such as another
   * user of the machine, who must not be told the token. One that is ending is not named any more, and is there still.
   */
  static isHeldBy(path: string, { url, pid }: Holder): boolean {
    const state = DataFolder.look(path);
    if (state.kind === "free") return false;
    return state.holder === undefined ? isAlive(pid) : state.holder.url === url;
  }

  get databasePath(): string {
    return join(this.path, "incipit.db");
  }

  get extensionsPath(): string {
    return join(this.path, "extensions.json");
  }

  /** Tells commands and second hosts where this one is. @param url Absent: it has no HTTP API. */
  announce(url: string | undefined, nowMs: number): void {
    const since = new Date(nowMs).toISOString();
    const holder: Holder = { pid: process.pid, ...(url === undefined ? {} : { url }), since };
    const file = holderFile(this.path);
    used(this.path, () => {
      writeFileSync(`${file}.new`, JSON.stringify(holder), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    });
  }

  /** Nobody new is to come. The folder is still held. */
  retract(): void {
    if (this.#isOpen) rmSync(holderFile(this.path), { force: true });
  }

  [Symbol.dispose](): void {
    this.retract();
    this.#isOpen = false;
    this.#lock[Symbol.dispose]();
  }
}

/** The token of a data folder, which is made with it. */
export function tokenOf(path: string): string {
  createDataFolder(path);
  return ownToken(path);
}

function ownToken(path: string): string {
  return used(path, () => readOrCreateToken(path));
}

/** @throws {Error} when it cannot be there, or is not its user's alone, with what to do. */
export function createDataFolder(path: string): void {
  used(path, () => makeFolders(path, { mode: 0o700 }));
  const problem = ownerProblem(statSync(path), process.getuid?.());
  if (problem !== undefined) throw new Error(`Cannot use the data folder "${path}": ${problem}`);
}

/** Does something with the files of a folder. @throws {Error} when the system does not let it, with what to do. */
function used<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    const why = writeFailure(cause, "take another one (--data DIR)");
    throw new Error(`Cannot use the data folder "${path}": ${why}`, { cause });
  }
}

/**
 * Why somebody else may have put what is in a folder, such as the list of extensions, which run as this user. `uid`: of this
 * process; `undefined` where there are none. Root works with folders of others, as containers do; and so others do with root's.
 */
export function ownerProblem(
  { uid: owner, mode }: { readonly uid: number; readonly mode: number },
  uid: number | undefined,
): string | undefined {
  if (uid === undefined) return undefined;
  if ((mode & 0o002) !== 0)
    return "every user of this machine may write in it; take a folder of your own (--data DIR), or look at what is in it and run chmod o-w";
  if (uid === 0 || owner === 0 || owner === uid) return undefined;
  return `it is another user's (${owner}); take a folder of your own (--data DIR)`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function holderFile(path: string): string {
  return join(path, "host.json");
}

function readHolder(path: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderFile(path), "utf8")));
  } catch (error) {
    if (errorCode(error) !== undefined && errorCode(error) !== "ENOENT") throw error;
    return undefined; // Not there, or not whole: it names nobody.
  }
}
