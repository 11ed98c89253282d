import { Database } from "bun:sqlite";
import type { ChangedRows } from "./changed-rows.ts";
import { syncToDisk } from "./sync-to-disk.ts";

/** Takes about a millisecond unless rows are large. */
const rowsAtOnce = 100;

/** Catches up with rows written to the original since. */
export class RewrittenFile implements Disposable {
  readonly #path: string;
  readonly #database: Database;

  constructor(path: string) {
    this.#path = path;
    this.#database = new Database(path, { readwrite: true, strict: true });
    try {
      // It need not survive a crash before it replaces the other file.
      this.#database.run("PRAGMA journal_mode = MEMORY");
      this.#database.run("PRAGMA synchronous = OFF");
      this.#database.run("PRAGMA secure_delete = ON");
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  take(from: Database, changed: ChangedRows): void {
    const read = from.query("SELECT value, version FROM entries WHERE namespace = ? AND key = ?");
    const set = this.#database.query(
      "INSERT OR REPLACE INTO entries (namespace, key, value, version) VALUES (?, ?, ?, ?)",
    );
    const remove = this.#database.query("DELETE FROM entries WHERE namespace = ? AND key = ?");
    this.#database.transaction(() => {
      for (const { namespace, key } of changed.take(rowsAtOnce)) {
        const [row] = read.values(namespace, key);
        if (row === undefined) remove.run(namespace, key);
        else set.run(namespace, key, String(row[0]), Number(row[1]));
      }
    })();
  }

  takeState(from: Database, left: readonly string[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM state");
      const set = this.#database.query("INSERT INTO state (name, value) VALUES (?, ?)");
      for (const [name, value] of from.query("SELECT name, value FROM state").values())
        if (!left.includes(String(name))) set.run(String(name), typeof value === "number" ? value : String(value));
    })();
  }

  finish(): void {
    this.#database.run("PRAGMA journal_mode = WAL"); // In its final mode, so that opening it writes nothing.
    this.#database.close();
    syncToDisk(this.#path);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
