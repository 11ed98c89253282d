import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../failures/error-code.ts";

/** Readers only check whether the folder is held. */
const busyTimeoutMs = 250;

const hostLock = "host.lock";

interface LockOptions {
  readonly name?: string;
  readonly timeoutMs?: number;
  /** Called once no other process has or can take the lock, while readers still see it as free. */
  readonly beforeHeld?: () => void;
}

/** The system releases it when the process ends, even by a crash. */
export class FolderLock implements Disposable {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** `undefined` if another process, or another host in this process, has the lock. */
  static take(
    folder: string,
    { name = hostLock, timeoutMs = busyTimeoutMs, beforeHeld }: LockOptions = {},
  ): FolderLock | undefined {
    const file = join(folder, name);
    const database = new Database(file, { create: true, readwrite: true });
    try {
      chmodSync(file, 0o600);
      database.run(`PRAGMA busy_timeout = ${timeoutMs}`);
      if (beforeHeld !== undefined) {
        database.run("BEGIN IMMEDIATE");
        beforeHeld();
        database.run("COMMIT");
      }
      // Not `locking_mode`: it keeps partial locks while waiting, so two waiters would block each other.
      database.run("BEGIN EXCLUSIVE");
      return new FolderLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  static isTaken(folder: string): boolean {
    let database: Database;
    try {
      database = new Database(join(folder, hostLock), { readonly: true });
    } catch {
      return false;
    }
    try {
      database.query("SELECT count(*) FROM sqlite_schema").get();
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      database.close();
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function isBusy(error: unknown): boolean {
  return errorCode(error)?.startsWith("SQLITE_BUSY") === true;
}
