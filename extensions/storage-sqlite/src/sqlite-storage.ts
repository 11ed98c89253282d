import type {
  AtomicResult,
  Clock,
  CommitOptions,
  JsonValue,
  NamespacedCheck,
  NamespacedWrite,
  StorageChange,
  StorageDriver,
  StorageRange,
  StoredEntry,
} from "@incipit/kernel";
import type { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { ChangedRows } from "./changed-rows.ts";
import { checkBeside } from "./check-beside.ts";
import { CheckProgress } from "./check-progress.ts";
import { copyBeside } from "./copy-beside.ts";
import { FreshCopy } from "./fresh-copy.ts";
import { assertKey, endOfPrefix } from "./key-range.ts";
import { LogSync, type SyncFile } from "./log-sync.ts";
import { discardFresh, freshPathOf, lastEnd, openAgain } from "./open-database.ts";
import { makePrivate } from "./private-file.ts";
import { SharedRun } from "./shared-run.ts";
import { StorageError } from "./storage-error.ts";
import { syncBeside } from "./sync-beside.ts";
import { syncToDisk } from "./sync-to-disk.ts";
import { moveFile, retireFile, type MoveFile } from "./take-place.ts";
import { Watchers } from "./watchers.ts";

/** The file, as SQLite has it open, and what takes its log to the disk. */
interface OpenFile {
  readonly database: Database;
  readonly log: LogSync;
}

interface PendingWrite {
  readonly checks: readonly NamespacedCheck[];
  /** `value`: JSON text; `null`: delete. */
  readonly writes: readonly { readonly namespace: string; readonly key: string; readonly value: string | null }[];
  readonly survives: "process" | "machine";
  readonly onCommitted: (() => void) | undefined;
  readonly resolve: (result: AtomicResult) => void;
  readonly reject: (error: unknown) => void;
}

const defaultLimit = 100;
const maxLimit = 1_000;

/**
 * Versions are taken in blocks, so that most commits note none: after a crash, the next one begins behind the block. With the
 * first block, the mark of the last clean end goes: the file is no longer as that left it.
 */
const takeVersions = `UPDATE state SET value = CASE name WHEN 'last-version' THEN ?1 ELSE ?3 END
  WHERE name = 'last-version' OR (name = 'closed-cleanly' AND value = ?2)`;
const versionsAtOnce = 1_000;

/** To write a larger file anew takes more than about half a second: whoever deletes something does not wait for it. */
const defaultMaxVacuumBytes = 64 * 1_048_576;
/** So many rows are taken over while everybody waits, and so often it is tried to come to so few. */
const fewRows = 20;
const maxRounds = 20;
/** What is still being erased by then goes on with the next start. The kernel waits 4 s. */
const longestCloseMs = 3_000;
/** So long the close waits for somebody else who has the file: the rest is for who comes next. */
const closeBusyMs = 200;
/** In the file's state: pieces of what was deleted may be left. */
const erasureDue = "vacuum-due";

export interface SqliteStorageOptions {
  readonly path: string;
  /** Whether every page was read since the last crash. */
  readonly isChecked: boolean;
  /** Names this start of the machine; absent: it has no name here. */
  readonly boot?: string | undefined;
  /** Takes all that was written to a file to the disk; absent: the system's own. */
  readonly syncFile?: SyncFile;
  /** Lets a file that was written anew take the place of this one; absent: the system's own. */
  readonly moveFile?: MoveFile;
  readonly maxVacuumBytes?: number;
  /** Called for each write that is refused. */
  readonly onWriteFailure?: (failure: StorageError) => void;
  /** Called when pieces of what was deleted are left in a large file: nobody waits to be told. */
  readonly onErasureFailure?: (failure: Error) => void;
}

/**
 * The storage driver on one SQLite file. Writes that are asked for in one turn of the event loop share one transaction, and
 * so one sync of the disk; each of them is still judged and acknowledged by itself.
 *
 * A commit is in the write-ahead log, which the system keeps when the process ends; what has to survive a loss of power is
 * acknowledged once that log is on the disk. The sync of it holds nobody: others read and commit meanwhile, and share the
 * next one (docs/decisions/2026-11-23-sync-beside.md).
 */
export class SqliteStorage implements StorageDriver, AsyncDisposable {
  /** `undefined`: a file that was written anew could not be opened. Whoever needs it tries again. */
  #open: OpenFile | undefined;
  readonly #path: string;
  readonly #maxVacuumBytes: number;
  readonly #onWriteFailure: (failure: StorageError) => void;
  readonly #onErasureFailure: (failure: Error) => void;
  readonly #watchers = new Watchers();
  #pending: PendingWrite[] = [];
  #lastVersion: number;
  /** The last version of the block that was taken. */
  #lastTaken: number;
  #transactionCount = 0;
  readonly #syncFile: SyncFile | undefined;
  readonly #moveFile: MoveFile;
  /** Why the file at this place may be another one after a loss of power. */
  #moveFailure: unknown;
  /** Whether every page was read since the last crash. */
  #isChecked: boolean;
  readonly #checkProgress: CheckProgress;
  #damage: string | undefined;
  #isClosed = false;
  /** Aborts when nothing may be done with the file any more. */
  readonly #ended = new AbortController();
  readonly #erasure = new SharedRun(() => this.#writeAnew());
  /** Rows that were written since a copy of the file was begun. */
  #changed: ChangedRows | undefined;

  constructor(
    database: Database,
    {
      path,
      isChecked,
      boot,
      syncFile,
      moveFile: move = moveFile,
      maxVacuumBytes = defaultMaxVacuumBytes,
      onWriteFailure = () => {},
      onErasureFailure = () => {},
    }: SqliteStorageOptions,
  ) {
    this.#onWriteFailure = onWriteFailure;
    this.#onErasureFailure = onErasureFailure;
    this.#path = path;
    this.#isChecked = isChecked;
    this.#checkProgress = new CheckProgress(() => this.#database, boot);
    this.#maxVacuumBytes = maxVacuumBytes;
    this.#syncFile = syncFile;
    this.#moveFile = move;
    this.#open = this.#opened(database);
    this.#lastVersion = this.#number("SELECT value FROM state WHERE name = 'last-version'");
    this.#lastTaken = this.#lastVersion;
  }

  get #database(): Database {
    return this.#file().database;
  }

  #file(): OpenFile {
    return (this.#open ??= this.#opened(openAgain(this.#path)));
  }

  #opened(database: Database): OpenFile {
    const log = new LogSync(database, {
      path: this.#path,
      syncFile: this.#syncFile,
      failure: this.#moveFailure,
    });
    return { database, log };
  }

  /** Transactions that were committed. */
  get transactionCount(): number {
    return this.#transactionCount;
  }

  /** What was found to be damaged while this was in use; the next start looks at the whole file, and sets it aside. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Looks at the whole of a file that was not, beside what else happens. Ends early with the signal, or when it is closed. */
  async check(options: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<void> {
    try {
      await checkBeside(() => this.#database, { ...options, progress: this.#checkProgress });
      this.#isChecked = true;
    } catch (error) {
      // A closed file cannot be read. The next start goes on.
      if (options.signal.aborted || this.#isClosed) return;
      this.#noteDamage(error instanceof Error ? error.message : String(error));
    }
  }

  /** Bounds the size of the file, as a full disk would (https://www.sqlite.org/pragma.html#pragma_max_page_count). */
  limitPages(maxPages: number): void {
    this.#database.run(`PRAGMA max_page_count = ${Math.trunc(maxPages)}`);
  }

  async get(namespace: string, key: string): Promise<StoredEntry | undefined> {
    assertKey(key);
    return this.#read(() => {
      const [row] = this.#database
        .query("SELECT key, value, version FROM entries WHERE namespace = ? AND key = ?")
        .values(namespace, key);
      return row === undefined ? undefined : toEntry(row);
    });
  }

  /** Names that begin with a text, and in which something is. */
  async namespaces(prefix: string): Promise<readonly string[]> {
    return this.#read(() => {
      const found: string[] = [];
      // From one to the next: what is in them is not looked through.
      const next = this.#database.query("SELECT min(namespace) FROM entries WHERE namespace > ?");
      for (let last = prefix; ;) {
        const name: unknown = next.values(last)[0]?.[0];
        if (typeof name !== "string" || !name.startsWith(prefix)) return found;
        found.push(name);
        last = name;
      }
    });
  }

  async list(namespace: string, range: StorageRange): Promise<readonly StoredEntry[]> {
    const { prefix = "", start = prefix, end = endOfPrefix(prefix), limit = defaultLimit, reverse = false } = range;
    assertKey(start);
    const upper = end === undefined ? "" : "AND key < ?";
    const order = reverse ? "DESC" : "ASC";
    const sql = `SELECT key, value, version FROM entries WHERE namespace = ? AND key >= ? ${upper} ORDER BY key ${order} LIMIT ?`;
    const bounds = end === undefined ? [start] : [start, end];
    return this.#read(() =>
      this.#database
        .query(sql)
        .values(namespace, ...bounds, Math.min(limit, maxLimit))
        .map(toEntry),
    );
  }

  async atomic(
    checks: readonly NamespacedCheck[],
    writes: readonly NamespacedWrite[],
    { survives = "machine", onCommitted }: CommitOptions = {},
  ): Promise<AtomicResult> {
    for (const { key } of [...checks, ...writes]) assertKey(key);
    // Serialised now: what the caller changes in it later is not part of this write.
    const texts = writes.map((write) => ({
      namespace: write.namespace,
      key: write.key,
      value: write.kind === "set" ? jsonOf(write) : null,
    }));
    if (this.#isClosed) throw new StorageError("STORAGE_FAILED", `Cannot write "${this.#path}": it is closed`);
    return new Promise((resolve, reject) => {
      this.#pending.push({ checks, writes: texts, survives, onCommitted, resolve, reject });
      if (this.#pending.length === 1) setImmediate(() => this.#flush());
    });
  }

  watch(namespace: string, prefix: string, signal: AbortSignal): AsyncIterable<StorageChange> {
    return this.#watchers.watch(namespace, prefix, signal);
  }

  /** Ends every watch as if its owner had been too slow for it: nothing more will come from here. */
  endWatches(): void {
    this.#watchers.end();
  }

  /** Writes all that is acknowledged to another file, which only its owner may read. @throws {StorageError} */
  copyTo(target: string): void {
    try {
      makePrivate(target);
      this.#database.run("VACUUM INTO ?", [target]);
      syncToDisk(target);
    } catch (error) {
      rmSync(target, { force: true }); // Half a copy is none.
      throw StorageError.from(error, target);
    }
  }

  /**
   * Leaves nothing in the files of what was deleted. Zeros over deleted rows are not enough for that: where SQLite moved
   * rows between pages, pieces of them stay behind (docs/decisions/2026-11-21-erasure.md). So the file is written anew,
   * beside what else happens. Of a large one that takes long: it is begun then, and whoever asks does not wait for its end.
   * @throws {StorageError} and then some of it may be left; nothing else has changed.
   */
  async eraseDeleted(): Promise<void> {
    this.#flush();
    const isLarge = this.#read(() => {
      this.#database.run(`INSERT OR REPLACE INTO state (name, value) VALUES ('${erasureDue}', 1)`);
      if (this.#sizeBytes() <= this.#maxVacuumBytes) return false;
      // The rows themselves are gone at once; while the file is copied, with the copy: to wait for that would hold everybody.
      if (this.#changed === undefined) this.#database.run("PRAGMA wal_checkpoint(TRUNCATE)");
      return true;
    });
    const erased = this.#erasure.run();
    if (!isLarge) return erased;
    erased.catch((error: unknown) => {
      if (!this.#isClosed) this.#onErasureFailure(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Whether pieces of what was deleted may be left: a host ended, or the disk was full, before they were gone. */
  get isErasureDue(): boolean {
    return this.#number(`SELECT value FROM state WHERE name = '${erasureDue}'`) !== 0;
  }

  /** Writes what waits, marks the file as whole and closes it. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    const isErased = await this.#erasureEnds();
    try {
      await this.#open?.log.close();
      this.#database.run(`PRAGMA busy_timeout = ${closeBusyMs}`);
      if (this.#isChecked && this.#damage === undefined) this.#setLastEnd(lastEnd.clean);
      if (this.#damage === undefined && isErased) this.#vacuumIfDue();
      this.#database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      this.#open?.database.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #sizeBytes(): number {
    return this.#number("PRAGMA page_count") * this.#number("PRAGMA page_size");
  }

  #number(sql: string): number {
    return Number(this.#database.query(sql).values()[0]?.[0] ?? 0);
  }

  /** What it cannot do stays due. */
  #vacuumIfDue(): void {
    if (!this.isErasureDue) return;
    this.#database.run("VACUUM");
    // Not while somebody reads what was there before: it is in the log then, or in the file.
    const isBusy = this.#number("PRAGMA wal_checkpoint(TRUNCATE)") !== 0;
    if (!isBusy) this.#database.run(`DELETE FROM state WHERE name = '${erasureDue}'`);
  }

  /** Gives whether none runs any more; one that takes too long is for the next start. */
  async #erasureEnds(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), longestCloseMs);
    const isOver = await Promise.race([this.#erasure.ended().then(() => true), late.promise]);
    clearTimeout(timer);
    this.#ended.abort(new Error("The file is closed"));
    return isOver;
  }

  /** Writes the file anew. Nobody waits for that but for some milliseconds at its end, when the new file takes its place. */
  async #writeAnew(): Promise<void> {
    const target = freshPathOf(this.#path);
    const changed = new ChangedRows();
    this.#changed = changed;
    const { signal } = this.#ended;
    try {
      rmSync(target, { force: true });
      makePrivate(target);
      await copyBeside(this.#path, target, signal);
      using copy = new FreshCopy(target);
      for (let rounds = 0; rounds === 0 || (changed.count > fewRows && rounds < maxRounds); rounds += 1) {
        while (changed.count > fewRows) {
          copy.take(this.#database, changed);
          await new Promise((resolve) => setImmediate(resolve));
        }
        // What everybody waits for below has little left to do then.
        await Promise.all([target, `${this.#path}-wal`].map(syncBeside));
        this.#database.run("PRAGMA wal_checkpoint(PASSIVE)");
        signal.throwIfAborted();
      }
      this.#flush();
      while (changed.count > 0) copy.take(this.#database, changed);
      copy.takeState(this.#database, this.#erasure.isAskedAgain ? [] : [erasureDue]);
      copy.finish();
      await retireFile(this.#moveHere(target));
    } catch (error) {
      discardFresh(this.#path);
      throw signal.aborted ? error : this.#failure(error);
    } finally {
      this.#changed = undefined;
    }
  }

  /**
   * Lets a file that is on the disk take the place of this one, which is whole until then: its log is in it. Gives the old one,
   * open: to free what it had takes long.
   */
  #moveHere(target: string): number {
    this.#database.run("PRAGMA wal_checkpoint(PASSIVE)"); // It waits for nobody, who may read for long.
    const log = this.#open?.log;
    this.#database.close(); // The last one to close it takes the log away.
    this.#open = undefined;
    let old: number | undefined;
    try {
      if (existsSync(`${this.#path}-wal`)) throw new Error("somebody else has the file open");
      // Not before: to close a file takes away the locks that SQLite has on it, whoever opened it.
      old = openSync(this.#path, "r+");
      this.#moveFile(target, this.#path);
      return old;
    } catch (error) {
      if (old !== undefined) closeSync(old);
      // What is written to the new one from here on may be lost with it: nothing of it is acknowledged.
      if (!existsSync(target)) this.#moveFailure = error;
      throw error;
    } finally {
      log?.close().catch(() => undefined); // What waits for it is in the file by now.
      try {
        this.#file();
      } catch {
        // Whoever reads or writes next tries again, and is told.
      }
    }
  }

  #read<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(cause: unknown): StorageError {
    const failure = StorageError.from(cause, this.#path);
    if (failure.code === "DAMAGED") this.#noteDamage(failure.message);
    return failure;
  }

  #noteDamage(reason: string): void {
    if (this.#damage !== undefined) return;
    this.#damage = reason;
    try {
      this.#setLastEnd(lastEnd.damaged);
    } catch {
      // A file that takes no mark is found without one.
    }
  }

  #setLastEnd(end: number): void {
    this.#database.query("UPDATE state SET value = ?1 WHERE name = 'closed-cleanly' AND value <> ?1").run(end);
  }

  #flush(): void {
    const group = this.#pending;
    this.#pending = [];
    if (group.length === 0) return;
    const failure = this.#commit(group);
    if (failure === undefined) return;
    // One write too many must not take the others with it: each gets a transaction of its own.
    const failures = group.flatMap((write) => {
      const own = group.length === 1 ? failure : this.#commit([write]);
      if (own !== undefined) write.reject(own);
      return own ?? [];
    });
    for (const own of failures) this.#onWriteFailure(own); // When all are answered: it may throw.
  }

  /** Answers each write of the group when it is as safe as it has to be; otherwise gives the reason, and nothing was written. */
  #commit(group: readonly PendingWrite[]): StorageError | undefined {
    const results: AtomicResult[] = [];
    const lastTaken = this.#lastTaken;
    try {
      this.#database.query("BEGIN IMMEDIATE").run();
      for (const write of group) results.push(this.#apply(write));
      if (this.#lastVersion > lastTaken) {
        this.#lastTaken = this.#lastVersion + versionsAtOnce;
        this.#database.query(takeVersions).run(this.#lastTaken, lastEnd.clean, lastEnd.crash);
      }
      this.#database.query("COMMIT").run();
    } catch (cause) {
      this.#lastTaken = lastTaken;
      this.#rollBack();
      return this.#failure(cause);
    }
    this.#transactionCount += 1;
    for (const [index, write] of group.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      try {
        this.#answer(write, result);
      } catch (error) {
        write.reject(error); // Its caller's own; the others of the group are answered all the same.
      }
      if (result.kind === "committed") this.#publish(write, result.version);
    }
    return undefined;
  }

  /** A connection whose transaction cannot be ended takes no other one: it is closed, and the next work opens the file again. */
  #rollBack(): void {
    const open = this.#open;
    if (open?.database.inTransaction !== true) return;
    try {
      open.database.run("ROLLBACK");
    } catch {
      this.#open = undefined;
      open.log.close().catch(() => undefined); // Whoever waits for a sync of it is answered by that.
      open.database.close();
    }
  }

  #answer({ survives, onCommitted, resolve, reject }: PendingWrite, result: AtomicResult): void {
    if (survives === "process" || result.kind === "conflict") return resolve(result);
    onCommitted?.();
    this.#file()
      .log.sync()
      .then(
        () => resolve(result),
        (cause: unknown) => {
          const failure = this.#failure(cause);
          reject(failure);
          this.#onWriteFailure(failure);
        },
      );
  }

  #apply({ checks, writes }: PendingWrite): AtomicResult {
    for (const { namespace, key, version } of checks) {
      const row = this.#database
        .query("SELECT version FROM entries WHERE namespace = ? AND key = ?")
        .values(namespace, key)[0];
      if ((row?.[0] ?? null) !== version) return { kind: "conflict", key };
    }
    this.#lastVersion += 1;
    const version = this.#lastVersion;
    const set = this.#database.query(
      "INSERT INTO entries (namespace, key, value, version) VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, version = excluded.version",
    );
    const remove = this.#database.query("DELETE FROM entries WHERE namespace = ? AND key = ?");
    for (const { namespace, key, value } of writes) {
      if (value === null) remove.run(namespace, key);
      else set.run(namespace, key, value, version);
    }
    return { kind: "committed", version };
  }

  #publish(write: PendingWrite, version: number): void {
    for (const { namespace, key, value } of write.writes) {
      this.#changed?.note({ namespace, key });
      this.#watchers.publish(namespace, value === null ? { kind: "delete", key } : { kind: "set", key, version });
    }
  }
}

/** @throws {TypeError} for what is no JSON: it is its caller's mistake, and no failure of the storage. */
function jsonOf({ key, value }: Extract<NamespacedWrite, { kind: "set" }>): string {
  // What a caller in plain JavaScript gives may be none, whatever its type says.
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Cannot store ${JSON.stringify(key)}: it is not JSON`);
  return text;
}

/** A row as the tables have it: each column has its type there. */
function toEntry([key, value, version]: readonly unknown[]): StoredEntry {
  if (typeof key !== "string" || typeof value !== "string" || typeof version !== "number")
    throw new TypeError("A row of the storage has another shape than its table");
  return { key, value: parseJson(value), version };
}

/** The driver wrote this text itself; what does not fit a caller's schema is found by that schema. */
function parseJson(text: string): JsonValue {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) throw new TypeError("JSON.parse gave no JSON value");
  return value;
}

/** `JSON.parse` gives nothing else: a check of every level would be paid on each read. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}
