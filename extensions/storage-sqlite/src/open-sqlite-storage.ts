import { bootName } from "./check-progress.ts";
import { openDatabase, type OpenDatabaseOptions, type OpenedDatabase } from "./open-database.ts";
import { SqliteStorage, type SqliteStorageOptions } from "./sqlite-storage.ts";

/**
 * Opens the driver on an existing or new file; the folder has to exist.
 * @throws {StorageError}
 */
export function openSqliteStorage(
  path: string,
  {
    nowMs = Date.now(),
    boot = bootName(),
    onWriteFailure,
    onErasureFailure,
    ...options
  }: Partial<OpenDatabaseOptions> & Pick<SqliteStorageOptions, "onWriteFailure" | "onErasureFailure"> = {},
): { readonly storage: SqliteStorage } & Omit<OpenedDatabase, "database"> {
  const { database, ...opened } = openDatabase(path, { nowMs, boot, ...options });
  return {
    storage: new SqliteStorage(database, {
      path,
      isChecked: opened.isChecked,
      boot,
      ...(onWriteFailure === undefined ? {} : { onWriteFailure }),
      ...(onErasureFailure === undefined ? {} : { onErasureFailure }),
    }),
    ...opened,
  };
}
