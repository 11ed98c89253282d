export { default } from "./extension.ts";
export { openSqliteStorage } from "./open-sqlite-storage.ts";
export { SqliteStorage } from "./sqlite-storage.ts";
export { StorageError, type StorageErrorCode } from "./storage-error.ts";
