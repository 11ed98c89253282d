import { Database } from "bun:sqlite";
import type { ChangedRows } from "./changed-rows.ts";
import { syncToDisk } from "./sync-to-disk.ts";

/** Rows that are taken over at once: about a millisecond of it, unless they are large. */
const rowsAtOnce = 100;

/** A database file that was written anew and takes over what has been written to the other one since. */
export class FreshCopy implements Disposable {
  readonly #path: string;
  readonly #database: Database;

  constructor(path: string) {
    this.#path = path;
    this.#database = new Database(path, { readwrite: true, strict: true });
    try {
      // Until it takes the other one's place, nothing of it has to survive anything.
      this.#database.run("PRAGMA journal_mode = MEMORY");
      this.#database.run("PRAGMA synchronous = OFF");
      this.#database.run("PRAGMA secure_delete = ON");
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Takes over some of the rows, as they are in `from` by now. */
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

  /** Takes over what the file says of itself, but for `left`. */
  takeState(from: Database, left: readonly string[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM state");
      const set = this.#database.query("INSERT INTO state (name, value) VALUES (?, ?)");
      for (const [name, value] of from.query("SELECT name, value FROM state").values())
        if (!left.includes(String(name))) set.run(String(name), typeof value === "number" ? value : String(value));
    })();
  }

  /** Closes it; it is on the disk then. */
  finish(): void {
    this.#database.run("PRAGMA journal_mode = WAL"); // As it is used: to open it writes nothing then.
    this.#database.close();
    syncToDisk(this.#path);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
