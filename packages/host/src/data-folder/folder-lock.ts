import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../failures/error-code.ts";

/** Longest wait for somebody who only looks whether the folder is held. */
const busyTimeoutMs = 250;

/** Who has this one has the folder. */
const hostLock = "host.lock";

interface LockOptions {
  /** Name of the file that is locked. */
  readonly name?: string;
  /** Longest wait until it is free. */
  readonly timeoutMs?: number;
  /** Called once nobody else has it or can take it, and those who look still find it free. */
  readonly beforeHeld?: () => void;
}

/** A lock of the operating system on a folder: it goes with the process, however that ends. */
export class FolderLock implements Disposable {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** `undefined`: another process, or another host of this one, has it. */
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
      // Not by locking_mode: that keeps what it has got while it waits for the rest, and two that wait hold each other up.
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
      return false; // No host has ever been here.
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
