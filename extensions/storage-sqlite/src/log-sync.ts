import type { Database } from "bun:sqlite";
import { close, fdatasync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { SharedRun } from "./shared-run.ts";
import { open } from "node:fs/promises";

export type SyncFile = (file: number) => Promise<void>;

const systemSync: SyncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * SQLite itself syncs its write-ahead log only before a checkpoint and when it restarts the log
 * (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL): commits in between survive a power loss only after
 * this sync.
 */
export class LogSync {
  readonly #path: string;
  readonly #syncFile: SyncFile;
  /** Without a write-ahead log, every commit syncs itself. */
  readonly #hasLog: boolean;
  readonly #runs = new SharedRun(() => this.#sync());
  #file: number | undefined;
  /** After a failed sync the state of the disk is unknown, and the system may report the next one as a success. */
  #failure: Error | undefined;

  constructor(
    database: Database,
    {
      path,
      syncFile = systemSync,
      failure,
    }: { readonly path: string; readonly failure?: unknown; readonly syncFile?: SyncFile | undefined },
  ) {
    this.#path = `${path}-wal`;
    this.#syncFile = syncFile;
    if (failure !== undefined) this.#failure = notOnDisk(failure);
    this.#hasLog = database.query("PRAGMA journal_mode").values()[0]?.[0] === "wal";
    database.run(`PRAGMA synchronous = ${this.#hasLog ? "NORMAL" : "FULL"}`);
  }

  /** Covers everything committed before the call; callers during a sync share the next one. */
  sync(): Promise<void> {
    return this.#hasLog ? this.#runs.run() : Promise.resolve();
  }

  async close(): Promise<void> {
    await this.#runs.ended();
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await closeFile(file);
  }

  async #sync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const isNew = this.#file === undefined;
      this.#file ??= openSync(this.#path, "r+");
      await this.#syncFile(this.#file);
      // SQLite recreates the log after a clean close, and syncs the folder only with its own syncs.
      if (isNew) await syncFolder(dirname(this.#path));
    } catch (error) {
      this.#failure = notOnDisk(error);
      throw this.#failure;
    }
  }
}

function notOnDisk(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`writes did not reach the disk (${reason}); check the disk, and restart the host`, { cause });
}

/** Some file systems, such as network ones, cannot sync folders. */
const withoutFolderSync: ReadonlySet<unknown> = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync folders.
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && withoutFolderSync.has(error.code))) throw error;
  } finally {
    await folder.close();
  }
}
