import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { openDatabase, type OpenedDatabase } from "./open-database.ts";
import { SqliteStorage } from "./sqlite-storage.ts";

/** Opens the driver on a file, or on a new one. @throws {StorageError} */
export function openSqliteStorage(
  path: string,
  nowMs: number = Date.now(),
): { readonly storage: SqliteStorage; readonly setAside: OpenedDatabase["setAside"] } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { database, setAside } = openDatabase(path, nowMs);
  return { storage: new SqliteStorage(database, path), setAside };
}
