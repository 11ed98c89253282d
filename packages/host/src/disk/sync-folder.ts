import { closeSync, fsyncSync, openSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { errorCode } from "../failures/error-code.ts";

/** Some network file systems cannot sync folders. */
const withoutFolderSync: ReadonlySet<unknown> = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** A folder that the user may write and not read; macOS returns `EPERM`. */
const unreadable: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);

export function syncFolder(path: string): void {
  if (process.platform === "win32") return; // Windows has no such call.
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    syncOpenFolder(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * `undefined` for a folder that the user may write and not read: the change has happened, and an error would deny that.
 */
function openFolder(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (unreadable.has(errorCode(error))) return undefined;
    throw error;
  }
}

export function syncOpenFolder(folder: number, sync: (folder: number) => void = fsyncSync): void {
  if (process.platform === "win32") return;
  try {
    sync(folder);
  } catch (error) {
    if (!withoutFolderSync.has(errorCode(error))) throw error;
  }
}

export async function syncFolderBeside(folder: Pick<FileHandle, "sync">): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await folder.sync();
  } catch (error) {
    if (!withoutFolderSync.has(errorCode(error))) throw error;
  }
}
