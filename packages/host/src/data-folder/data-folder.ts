import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { makeFolders, syncFolder } from "../disk/synced-file.ts";
import { errorCode } from "../failures/error-code.ts";
import { writeFailure } from "../failures/write-failure.ts";
import { FolderLock } from "./folder-lock.ts";

const holderSchema = z.object({ pid: z.int(), url: z.string().exactOptional(), since: z.string() });
export type Holder = z.infer<typeof holderSchema>;

/** `held` without a holder: the host is starting or stopping. */
type FolderState = { readonly kind: "free" } | { readonly kind: "held"; readonly holder: Holder | undefined };

export class DataFolderHeld extends Error {
  override readonly name = "DataFolderHeld";

  constructor(path: string, holder: Holder | undefined) {
    const { who, what } = wordsOf(holder);
    super(`The data folder "${path}" is in use by ${who}; ${what}, or use another folder (--data DIR)`);
  }
}

function wordsOf(holder: Holder | undefined): { readonly who: string; readonly what: string } {
  const what = "use that one";
  if (holder === undefined) return { who: "another host that is starting or stopping", what };
  const { pid, url, since } = holder;
  if (url !== undefined) return { who: `the host with process id ${pid} at ${url}, since ${since}`, what };
  return { who: `the host with process id ${pid}, since ${since}, which has no HTTP API`, what: "stop it" };
}

/** At most one host holds the folder. */
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

  /** @throws {DataFolderHeld} */
  static open(path: string): DataFolder {
    createDataFolder(path);
    // A reader in between would take a crashed host's address for that of the new host.
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

  /** Returns who holds the folder. Only the lock proves that a host runs. */
  static look(path: string): FolderState {
    return used(path, () => FolderLock.isTaken(path))
      ? { kind: "held", holder: readHolder(path) }
      : { kind: "free" };
  }

  /**
   * If false, another process, perhaps of another user, may listen at the address and must not receive the token. A
   * stopping host has removed its announcement but still holds the folder.
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

  announce(url: string | undefined, nowMs: number): void {
    const since = new Date(nowMs).toISOString();
    const holder: Holder = { pid: process.pid, ...(url === undefined ? {} : { url }), since };
    const file = holderFile(this.path);
    used(this.path, () => {
      writeFileSync(`${file}.new`, JSON.stringify(holder), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    });
  }

  /** Removes the announcement; the folder stays locked. */
  retract(): void {
    if (this.#isOpen) rmSync(holderFile(this.path), { force: true });
  }

  [Symbol.dispose](): void {
    this.retract();
    this.#isOpen = false;
    this.#lock[Symbol.dispose]();
  }
}

export function tokenOf(path: string): string {
  createDataFolder(path);
  return ownToken(path);
}

function ownToken(path: string): string {
  return used(path, () => readOrCreateToken(path));
}

/** @throws {Error} with a remedy, if the folder cannot be created or is not private to its user. */
export function createDataFolder(path: string): void {
  used(path, () => makeFolders(path, { mode: 0o700 }));
  const problem = ownerProblem(statSync(path), process.getuid?.());
  if (problem !== undefined) throw new Error(`Cannot use the data folder "${path}": ${problem}`);
}

function used<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    const why = writeFailure(cause, "use another one (--data DIR)");
    throw new Error(`Cannot use the data folder "${path}": ${why}`, { cause });
  }
}

/**
 * Another user's files, such as the list of extensions, would run as this user. Root may use folders of others, as in
 * containers, and others may use root's.
 */
export function ownerProblem(
  { uid: owner, mode }: { readonly uid: number; readonly mode: number },
  uid: number | undefined,
): string | undefined {
  if (uid === undefined) return undefined;
  if ((mode & 0o002) !== 0)
    return "every user of this machine may write in it; use your own folder (--data DIR), or check its content and run chmod o-w";
  if (uid === 0 || owner === 0 || owner === uid) return undefined;
  return `it belongs to another user (${owner}); use your own folder (--data DIR)`;
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
    return undefined;
  }
}

const tokenPattern = /^[\w-]{16,}$/;

/** Returns the token, and creates it if missing: atomically, and readable by the owner only. */
function readOrCreateToken(folder: string): string {
  const file = join(folder, "token");
  if (!existsSync(file)) createToken(file);
  chmodSync(file, 0o600); // A copy or restored backup may have lost its mode.
  const token = readFileSync(file, "utf8").trim();
  if (!tokenPattern.test(token))
    throw new Error(`The token in "${file}" is damaged; delete the file, and a new one is made`);
  return token;
}

function createToken(file: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toHex()}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toBase64({ alphabet: "base64url", omitPadding: true })}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error; // Otherwise another process was first, and its token counts.
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
  // A new token after a power loss would revoke all tokens created under it.
  syncFolder(dirname(file));
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
