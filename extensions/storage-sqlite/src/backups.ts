import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SqliteStorage } from "./sqlite-storage.ts";

const maxBackups = 3;

/**
 * Copies to `NAME.backup-TIME` in the same folder and keeps the newest copies.
 * @throws {StorageError}
 */
export function backUp(
  storage: SqliteStorage,
  { path, nowMs }: { readonly path: string; readonly nowMs: number },
): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, "");
  const target = `${path}.backup-${time}`;
  storage.copyTo(target);
  const prefix = `${basename(path)}.backup-`;
  const copies = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix));
  for (const name of copies.toSorted().slice(0, -maxBackups)) rmSync(join(dirname(path), name));
  return target;
}
