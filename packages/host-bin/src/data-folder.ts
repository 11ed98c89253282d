import { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const holderSchema = z.object({ pid: z.int(), url: z.string(), since: z.string() });
/** The host that uses a data folder. */
export type Holder = z.infer<typeof holderSchema>;

/** Another host holds the data folder. */
export class DataFolderHeld extends Error {
  override readonly name = "DataFolderHeld";
  readonly holder: Holder | undefined;

  constructor(path: string, holder: Holder | undefined) {
    const who =
      holder === undefined
        ? "another host that is starting"
        : `the host with process id ${holder.pid} at ${holder.url}, since ${holder.since}`;
    super(`The data folder "${path}" is held by ${who}; use that one, or take another folder (--data DIR)`);
    this.holder = holder;
  }
}

/** Files of one host: the data, the token, the lock, and who holds it. One host at a time has it. */
export class DataFolder implements Disposable {
  readonly path: string;
  readonly token: string;
  readonly #lock: Database;

  private constructor(path: string, token: string, lock: Database) {
    this.path = path;
    this.token = token;
    this.#lock = lock;
  }

  /** @throws {DataFolderHeld} */
  static open(path: string): DataFolder {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const lock = takeLock(path);
    return new DataFolder(path, readOrCreateToken(path), lock);
  }

  get databasePath(): string {
    return join(this.path, "incipit.db");
  }

  /** Tells commands and second hosts where this one is. */
  announce(url: string, nowMs: number): void {
    const holder: Holder = { pid: process.pid, url, since: new Date(nowMs).toISOString() };
    const file = join(this.path, "host.json");
    writeFileSync(`${file}.new`, JSON.stringify(holder), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  [Symbol.dispose](): void {
    rmSync(join(this.path, "host.json"), { force: true });
    this.#lock.close();
  }
}

/** A lock of the operating system, so that it goes with the process, however that ends. */
function takeLock(path: string): Database {
  const file = join(path, "host.lock");
  const lock = new Database(file, { create: true, readwrite: true });
  try {
    chmodSync(file, 0o600);
    lock.run("PRAGMA journal_mode = DELETE");
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    lock.run("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
    if (!code.startsWith("SQLITE_BUSY")) throw error;
    throw new DataFolderHeld(path, readHolder(path));
  }
}

/** Who says to hold the folder; a crash leaves its word behind, so that only the lock proves it. */
function readHolder(path: string): Holder | undefined {
  const file = join(path, "host.json");
  if (!existsSync(file)) return undefined;
  const holder = holderSchema.safeParse(parseJson(readFileSync(file, "utf8")));
  return holder.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A file that is no JSON names nobody.
  }
}

/** The token of the folder's host. It appears whole or not at all. */
export function readOrCreateToken(path: string): string {
  const file = join(path, "token");
  if (!existsSync(file)) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error; // Otherwise another process was first, and its token holds.
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(file, "utf8").trim();
}
