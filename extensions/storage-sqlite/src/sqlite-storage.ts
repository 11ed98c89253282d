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
import { checkInBackground } from "./background-check.ts";
import { CheckProgress } from "./check-progress.ts";
import { copyInBackground } from "./background-copy.ts";
import { RewrittenFile } from "./rewritten-file.ts";
import { assertKey, endOfPrefix } from "./key-range.ts";
import { LogSync, type SyncFile } from "./log-sync.ts";
import { discardRewrite, rewritePath, lastEnd, openAgain } from "./open-database.ts";
import { makePrivate } from "./private-file.ts";
import { SharedRun } from "./shared-run.ts";
import { StorageError } from "./storage-error.ts";
import { syncInBackground } from "./background-sync.ts";
import { syncToDisk } from "./sync-to-disk.ts";
import { moveFile, closeReplacedFile, type MoveFile } from "./replace-file.ts";
import { Watchers } from "./watchers.ts";

interface OpenFile {
  readonly database: Database;
  readonly log: LogSync;
}

interface PendingWrite {
  readonly checks: readonly NamespacedCheck[];
  readonly writes: readonly { readonly namespace: string; readonly key: string; readonly value: string | null }[];
  readonly survives: "process" | "machine";
  readonly onCommitted: (() => void) | undefined;
  readonly resolve: (result: AtomicResult) => void;
  readonly reject: (error: unknown) => void;
}

const defaultLimit = 100;
const maxLimit = 1_000;

/**
 * Versions are reserved in blocks, so that most commits write none; after a crash, numbering continues after the
 * block. Reserving the first block also clears the clean-shutdown mark.
 */
const takeVersions = `UPDATE state SET value = CASE name WHEN 'last-version' THEN ?1 ELSE ?3 END
  WHERE name = 'last-version' OR (name = 'closed-cleanly' AND value = ?2)`;
const versionsAtOnce = 1_000;

/** Rewriting a larger file takes more than about half a second, so deletes do not wait for it. */
const defaultMaxVacuumBytes = 64 * 1_048_576;
/** The final catch-up blocks everyone, so rounds repeat until few rows remain, up to a limit. */
const fewRows = 20;
const maxRounds = 20;
/** An unfinished erasure continues at the next start. The kernel's limit is 4 s. */
const longestCloseMs = 3_000;
/** Maximum wait for other users of the file when closing; the next start completes the rest. */
const closeBusyMs = 200;
const erasureDue = "vacuum-due";

export interface SqliteStorageOptions {
  readonly path: string;
  /** Whether every page was read since the last crash. */
  readonly isChecked: boolean;
  /** Identifies this boot of the machine; absent: unknown. */
  readonly boot?: string | undefined;
  readonly syncFile?: SyncFile;
  readonly moveFile?: MoveFile;
  readonly maxVacuumBytes?: number;
  readonly onWriteFailure?: (failure: StorageError) => void;
  /** Called when remains of deleted rows stay in a large file, since no caller waits for that. */
  readonly onErasureFailure?: (failure: Error) => void;
}

/**
 * The storage driver on one SQLite file. Writes of one turn of the event loop share a transaction and a disk sync;
 * each is still judged and acknowledged separately.
 * Commits go to the write-ahead log, which survives the end of the process; writes that must survive a power loss
 * are acknowledged once that log is synced. The sync runs in the background: others read and commit meanwhile, and
 * share the next one (docs/decisions/2026-11-23-commit-durability-and-deltas.md).
 */
export class SqliteStorage implements StorageDriver, AsyncDisposable {
  /** `undefined`: a rewritten file could not be opened; the next operation tries again. */
  #open: OpenFile | undefined;
  readonly #path: string;
  readonly #maxVacuumBytes: number;
  readonly #onWriteFailure: (failure: StorageError) => void;
  readonly #onErasureFailure: (failure: Error) => void;
  readonly #watchers = new Watchers();
  #pending: PendingWrite[] = [];
  #lastVersion: number;
  #lastTaken: number;
  #transactionCount = 0;
  readonly #syncFile: SyncFile | undefined;
  readonly #moveFile: MoveFile;
  /** Set when a power loss could revert the replacement of the file. */
  #moveFailure: unknown;
  #isChecked: boolean;
  readonly #checkProgress: CheckProgress;
  #damage: string | undefined;
  #isClosed = false;
  readonly #ended = new AbortController();
  readonly #erasure = new SharedRun(() => this.#writeAnew());
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

  get transactionCount(): number {
    return this.#transactionCount;
  }

  /** Damage found during use; the next start checks the whole file and sets it aside. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Checks an unchecked file in the background. Ends early when aborted or closed. */
  async check(options: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<void> {
    try {
      await checkInBackground(() => this.#database, { ...options, progress: this.#checkProgress });
      this.#isChecked = true;
    } catch (error) {
      // A closed file cannot be read. The next start continues.
      if (options.signal.aborted || this.#isClosed) return;
      this.#noteDamage(error instanceof Error ? error.message : String(error));
    }
  }

  /** Like a full disk: https://www.sqlite.org/pragma.html#pragma_max_page_count */
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

  async namespaces(prefix: string): Promise<readonly string[]> {
    return this.#read(() => {
      const found: string[] = [];
      // Skips from namespace to namespace without reading their rows.
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
    // Serialised now: later changes by the caller are not part of this write.
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

  /** Consumers see the same end as when they are too slow: no more changes will come. */
  endWatches(): void {
    this.#watchers.end();
  }

  /**
   * Copies all acknowledged data to another file, readable only by its owner.
   * @throws {StorageError}
   */
  copyTo(target: string): void {
    try {
      makePrivate(target);
      this.#database.run("VACUUM INTO ?", [target]);
      syncToDisk(target);
    } catch (error) {
      rmSync(target, { force: true });
      throw StorageError.from(error, target);
    }
  }

  /**
   * Removes all remains of deleted rows from the files. Overwriting deleted rows with zeros is not enough: SQLite
   * leaves pieces behind when it moves rows between pages (docs/decisions/2026-11-21-erasure.md). So the file is
   * rewritten in the background; for a large file, this resolves before that ends.
   * @throws {StorageError} in which case remains may exist; nothing else has changed.
   */
  async eraseDeleted(): Promise<void> {
    this.#flush();
    const isLarge = this.#read(() => {
      this.#database.run(`INSERT OR REPLACE INTO state (name, value) VALUES ('${erasureDue}', 1)`);
      if (this.#sizeBytes() <= this.#maxVacuumBytes) return false;
      // Without a running copy, deleted rows are removed immediately; otherwise with the copy, since waiting would
      // block everyone.
      if (this.#changed === undefined) this.#database.run("PRAGMA wal_checkpoint(TRUNCATE)");
      return true;
    });
    const erased = this.#erasure.run();
    if (!isLarge) return erased;
    erased.catch((error: unknown) => {
      if (!this.#isClosed) this.#onErasureFailure(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Remains of deleted rows may exist, because a host ended or the disk was full. */
  get isErasureDue(): boolean {
    return this.#number(`SELECT value FROM state WHERE name = '${erasureDue}'`) !== 0;
  }

  /** Flushes pending writes and marks a clean shutdown. */
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

  #vacuumIfDue(): void {
    if (!this.isErasureDue) return;
    this.#database.run("VACUUM");
    // Fails while a reader still uses the previous state, which is then in the log or file.
    const isBusy = this.#number("PRAGMA wal_checkpoint(TRUNCATE)") !== 0;
    if (!isBusy) this.#database.run(`DELETE FROM state WHERE name = '${erasureDue}'`);
  }

  async #erasureEnds(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), longestCloseMs);
    const isOver = await Promise.race([this.#erasure.ended().then(() => true), late.promise]);
    clearTimeout(timer);
    this.#ended.abort(new Error("The file is closed"));
    return isOver;
  }

  /** Blocks others only for the milliseconds in which the new file replaces the old one. */
  async #writeAnew(): Promise<void> {
    const target = rewritePath(this.#path);
    const changed = new ChangedRows();
    this.#changed = changed;
    const { signal } = this.#ended;
    try {
      rmSync(target, { force: true });
      makePrivate(target);
      await copyInBackground(this.#path, target, signal);
      using copy = new RewrittenFile(target);
      for (let rounds = 0; rounds === 0 || (changed.count > fewRows && rounds < maxRounds); rounds += 1) {
        while (changed.count > fewRows) {
          copy.take(this.#database, changed);
          await new Promise((resolve) => setImmediate(resolve));
        }
        // Leaves little to sync in the blocking part below.
        await Promise.all([target, `${this.#path}-wal`].map(syncInBackground));
        this.#database.run("PRAGMA wal_checkpoint(PASSIVE)");
        signal.throwIfAborted();
      }
      this.#flush();
      while (changed.count > 0) copy.take(this.#database, changed);
      copy.takeState(this.#database, this.#erasure.isAskedAgain ? [] : [erasureDue]);
      copy.finish();
      await closeReplacedFile(this.#moveHere(target));
    } catch (error) {
      discardRewrite(this.#path);
      throw signal.aborted ? error : this.#failure(error);
    } finally {
      this.#changed = undefined;
    }
  }

  /**
   * The log has to be checkpointed, and the target synced. Returns the old file, open, since freeing its space takes
   * long.
   */
  #moveHere(target: string): number {
    this.#database.run("PRAGMA wal_checkpoint(PASSIVE)"); // Does not wait for readers.
    const log = this.#open?.log;
    this.#database.close(); // The last connection removes the log.
    this.#open = undefined;
    let old: number | undefined;
    try {
      if (existsSync(`${this.#path}-wal`)) throw new Error("another process has the file open");
      // Only now: closing a descriptor drops all locks that SQLite holds on the file.
      old = openSync(this.#path, "r+");
      this.#moveFile(target, this.#path);
      return old;
    } catch (error) {
      if (old !== undefined) closeSync(old);
      // A power loss may revert the replacement, so nothing written from now on is acknowledged.
      if (!existsSync(target)) this.#moveFailure = error;
      throw error;
    } finally {
      log?.close().catch(() => undefined); // Its pending commits are in the file by now.
      try {
        this.#file();
      } catch {
        // The next operation tries again and reports the error.
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
      // An unwritable file keeps its mark.
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
    // One failing write must not affect the others: each gets its own transaction.
    const failures = group.flatMap((write) => {
      const own = group.length === 1 ? failure : this.#commit([write]);
      if (own !== undefined) write.reject(own);
      return own ?? [];
    });
    for (const own of failures) this.#onWriteFailure(own); // After all are answered, since the callback may throw.
  }

  /** Acknowledges each write once it is as durable as requested. */
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
        write.reject(error); // The error of one caller does not affect the others.
      }
      if (result.kind === "committed") this.#publish(write, result.version);
    }
    return undefined;
  }

  #rollBack(): void {
    const open = this.#open;
    if (open?.database.inTransaction !== true) return;
    try {
      open.database.run("ROLLBACK");
    } catch {
      this.#open = undefined;
      open.log.close().catch(() => undefined); // A pending sync still answers its callers.
      open.database.close();
    }
  }

  #answer({ survives, onCommitted, resolve, reject }: PendingWrite, result: AtomicResult): void {
    if (survives === "process" || result.kind === "conflict") return resolve(result);
    onCommitted?.();
    this.sync().then(() => resolve(result), reject);
  }

  /**
   * Resolves when all commits before the call survive a loss of power.
   * @throws {StorageError}
   */
  async sync(): Promise<void> {
    try {
      await this.#file().log.sync();
    } catch (cause) {
      const failure = this.#failure(cause);
      this.#onWriteFailure(failure);
      throw failure;
    }
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

/** @throws {TypeError} for a value that is not JSON: a caller's error, not a storage failure. */
function jsonOf({ key, value }: Extract<NamespacedWrite, { kind: "set" }>): string {
  // JavaScript callers may pass anything, despite the type.
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Cannot store ${JSON.stringify(key)}: it is not JSON`);
  return text;
}

function toEntry([key, value, version]: readonly unknown[]): StoredEntry {
  if (typeof key !== "string" || typeof value !== "string" || typeof version !== "number")
    throw new TypeError("A row of the storage has another shape than its table");
  return { key, value: parseJson(value), version };
}

/** Parses JSON that the driver itself has written; the schemas of callers find mismatches. */
function parseJson(text: string): JsonValue {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) throw new TypeError("JSON.parse returned no JSON value");
  return value;
}

/** `JSON.parse` returns nothing else, and a deep check would cost every read. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}
