import type { JsonValue } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { openDatabase } from "../open-database.ts";
import { openSqliteStorage } from "../open-sqlite-storage.ts";
import { SqliteStorage, type SqliteStorageOptions } from "../sqlite-storage.ts";

export interface SqliteFolder extends AsyncDisposable {
  readonly folder: string;
  /** The database. */
  readonly path: string;
  /** Opens it like a host, and closes it at the end. */
  open(options?: Parameters<typeof openSqliteStorage>[1]): SqliteStorage;
  openWith(options: Partial<SqliteStorageOptions>): SqliteStorage;
  /** Opens it like a host and closes it. */
  start(options?: Parameters<typeof openSqliteStorage>[1]): Promise<ReturnType<typeof openSqliteStorage>>;
  query(sql: string): readonly unknown[][];
  run(sql: string, values?: string[]): void;
}

export interface SqliteFolderOptions {
  /** Stored before, and closed. */
  readonly rows?: number;
  /** Afterwards, as if the host had not closed it. */
  readonly isCrashed?: boolean;
  /** Offset of 8 KiB that are overwritten then. */
  readonly damagedAt?: number;
}

export async function createSqliteFolder(options: SqliteFolderOptions = {}): Promise<SqliteFolder> {
  const { rows, isCrashed = false, damagedAt } = options;
  const scope = new AsyncDisposableStack();
  const { path: folder } = scope.use(await createTempFolder());
  const path = join(folder, "data.db");
  const world: SqliteFolder = {
    folder,
    path,
    open: (how) => scope.use(openSqliteStorage(path, how).storage),
    openWith(more) {
      const { database, isChecked } = openDatabase(path, { nowMs: 0 });
      return scope.use(new SqliteStorage(database, { path, isChecked, ...more }));
    },
    async start(how) {
      const opened = openSqliteStorage(path, how);
      await opened.storage.close();
      return opened;
    },
    query(sql) {
      using database = new Database(path, { readonly: true });
      return database.query(sql).values();
    },
    run(sql, values = []) {
      using database = new Database(path);
      database.run(sql, values);
    },
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  };
  if (rows !== undefined) {
    const { storage } = openSqliteStorage(path);
    await fill(storage, rows);
    await storage.close();
  }
  if (isCrashed) crash(world);
  if (damagedAt !== undefined) {
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
    bytes.fill(0x5a, damagedAt, damagedAt + 8_192);
    await Bun.write(path, bytes);
  }
  return world;
}

export function crash({ run }: Pick<SqliteFolder, "run">): void {
  run("UPDATE state SET value = 0 WHERE name = 'closed-cleanly'");
  run("PRAGMA wal_checkpoint(TRUNCATE)");
}

export async function fill(storage: SqliteStorage, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => `k${index}`);
  await storage.atomic(
    [],
    keys.map((key) => ({ kind: "set", namespace: "n", key, value: "x".repeat(200) }) as const),
  );
}

export function set(key: string, value: JsonValue = key) {
  return { kind: "set", namespace: "n", key, value } as const;
}

export async function keysIn(storage: SqliteStorage): Promise<readonly string[]> {
  return (await storage.list("n", {})).map(({ key }) => key);
}
