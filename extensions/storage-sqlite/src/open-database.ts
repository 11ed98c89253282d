import { Database } from "bun:sqlite";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CheckProgress } from "./check-progress.ts";
import { makePrivate } from "./private-file.ts";
import { StorageError } from "./storage-error.ts";

export interface OpenedDatabase {
  readonly database: Database;
  readonly setAside: { readonly path: string; readonly reason: string } | undefined;
  /** Whether the file is known to be intact; `false` if all of its pages still have to be read. */
  readonly isChecked: boolean;
  readonly isNew: boolean;
}

export interface OpenDatabaseOptions {
  readonly nowMs: number;
  /** After a crash, larger files are used before they are checked completely; defaults to 32 MiB. */
  readonly maxCheckedBytes?: number;
  readonly boot?: string | undefined;
}

export function rewritePath(path: string): string {
  return `${path}.fresh`;
}

/** Removes the files of an interrupted rewrite. Ignores failures: remaining files only affect the next rewrite. */
export function discardRewrite(path: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) {
    try {
      rmSync(`${rewritePath(path)}${suffix}`, { force: true });
    } catch {
      // The next rewrite reports it.
    }
  }
}

export const lastEnd = { crash: 0, clean: 1, damaged: 2 } as const;

/** Checking such a file takes about 50 ms. */
const defaultMaxCheckedBytes = 32 * 1_048_576;

const schemaVersion = 1;

/**
 * Opens a database. A damaged file is renamed to `NAME.damaged-TIME`, with its log, and replaced with a new one. After
 * a clean shutdown a quick check suffices; after a crash every page is checked, for large files in the background.
 * @throws {StorageError} when the file cannot be opened for another reason, or has a newer schema version.
 */
export function openDatabase(path: string, options: OpenDatabaseOptions): OpenedDatabase {
  try {
    return { ...openChecked(path, options), setAside: undefined };
  } catch (error) {
    if (!StorageError.is(error) || error.code !== "DAMAGED") throw error;
    const time = new Date(options.nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const target = `${path}.damaged-${time}`;
    for (const suffix of ["", "-wal", "-shm"]) {
      if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${target}${suffix}`);
    }
    return { ...openChecked(path, options), setAside: { path: target, reason: error.message } };
  }
}

export function damagedFiles(path: string): readonly string[] {
  const prefix = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name))
    .toSorted()
    .map((name) => join(dirname(path), name));
}

function openChecked(path: string, options: OpenDatabaseOptions): Omit<OpenedDatabase, "setAside"> {
  let database: Database | undefined;
  try {
    makePrivate(path);
    discardRewrite(path); // The host ended before the rewritten file replaced this one.
    database = connectionTo(path, { create: true });
    // Nothing is written before the check, so that a damaged file is set aside unchanged.
    const version = versionOf(database, path);
    const isNew = version === 0;
    const isChecked = isNew || isIntact(database, options);
    prepare(database);
    if (isNew) createTables(database);
    return { database, isChecked, isNew };
  } catch (error) {
    database?.close();
    throw StorageError.is(error) ? error : StorageError.from(error, path);
  }
}

export function openAgain(path: string): Database {
  const database = connectionTo(path, { create: false });
  try {
    prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function connectionTo(path: string, { create }: { readonly create: boolean }): Database {
  const database = new Database(path, { create, readwrite: true, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** A thousand concurrent conversations each use pages of their own. */
const cacheKibibytes = 8_192;

function prepare(database: Database): void {
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA secure_delete = ON");
  database.run(`PRAGMA cache_size = -${cacheKibibytes}`);
}

function versionOf(database: Database, path: string): number {
  const version = Number(database.query("PRAGMA user_version").values()[0]?.[0]);
  if (version <= schemaVersion) return version;
  const message = `Cannot open "${path}": it was written by a newer version (${version}; this one supports ${schemaVersion}); update the host`;
  throw new StorageError("STORAGE_FAILED", message);
}

function createTables(database: Database): void {
  database.transaction(() => {
    database.run(
      "CREATE TABLE entries (namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (namespace, key)) WITHOUT ROWID",
    );
    database.run("CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID");
    database.run("INSERT INTO state (name, value) VALUES ('last-version', 0), ('closed-cleanly', 0)");
    database.run(`PRAGMA user_version = ${schemaVersion}`);
  })();
}

/**
 * Returns `false` when pages remain to be checked.
 * @throws {StorageError} `DAMAGED`.
 */
function isIntact(
  database: Database,
  { maxCheckedBytes = defaultMaxCheckedBytes, boot }: OpenDatabaseOptions,
): boolean {
  const ended: unknown = database.query("SELECT value FROM state WHERE name = 'closed-cleanly'").values()[0]?.[0];
  database.query("SELECT count(*) FROM (SELECT 1 FROM entries LIMIT 10)").get();
  if (ended === lastEnd.clean) return true;
  const [pages, pageSize] = ["page_count", "page_size"].map((name) =>
    Number(database.query(`PRAGMA ${name}`).values()[0]?.[0]),
  );
  if (ended !== lastEnd.damaged && (pages ?? 0) * (pageSize ?? 0) > maxCheckedBytes)
    return new CheckProgress(() => database, boot).isDone;
  const found: unknown = database.query("PRAGMA quick_check(1)").values()[0]?.[0];
  if (found !== "ok") throw new StorageError("DAMAGED", `the integrity check found: ${String(found)}`);
  return true;
}
