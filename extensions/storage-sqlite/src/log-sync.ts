import type { Database } from "bun:sqlite";
import { close, fdatasync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { SharedRun } from "./shared-run.ts";
import { syncFolder } from "./sync-folder.ts";

/** Takes all that was written to an open file to the disk. */
export type SyncFile = (file: number) => Promise<void>;

const systemSync: SyncFile = promisify(fdatasync);
const closeFile = promisify(close);

/**
 * Takes SQLite's write-ahead log to the disk, beside what else happens. SQLite itself syncs that log only before it moves
 * what is in it, and whenever it begins it anew (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL): what is
 * committed in between survives a loss of power once this has synced it.
 */
export class LogSync {
  readonly #path: string;
  readonly #syncFile: SyncFile;
  /** Where there is no such log, each commit waits for the disk by itself. */
  readonly #hasLog: boolean;
  readonly #runs = new SharedRun(() => this.#sync());
  #file: number | undefined;
  /** After a sync that failed nobody knows what is on the disk, and the system may call the next one a success. */
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

  /** Resolves once all that was committed before the call is on the disk; those who call while a sync runs share the next. */
  sync(): Promise<void> {
    return this.#hasLog ? this.#runs.run() : Promise.resolve();
  }

  /** Ends once no sync runs any more. */
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
      // SQLite makes the log anew after a clean end, and syncs its name only with what it syncs by itself.
      if (isNew) await syncFolder(dirname(this.#path));
    } catch (error) {
      this.#failure = notOnDisk(error);
      throw this.#failure;
    }
  }
}

function notOnDisk(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `what was written did not reach the disk (${reason}); look at the disk, and start the host again`,
    { cause },
  );
}
