import { closeSync, fsyncSync, openSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { errorCode } from "../failures/error-code.ts";

/** What file systems answer that sync no folder when they are asked, such as some over a network. */
const withoutFolderSync: ReadonlySet<unknown> = new Set(["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** Returns once the names in a folder are on the disk: what was made, renamed or removed there survives a loss of power. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return; // It has no way to ask for that.
  const folder = openSync(path, "r");
  try {
    syncOpenFolder(folder);
  } finally {
    closeSync(folder);
  }
}

/** Does the same with a folder that is open. */
export function syncOpenFolder(folder: number, sync: (folder: number) => void = fsyncSync): void {
  if (process.platform === "win32") return;
  try {
    sync(folder);
  } catch (error) {
    if (!withoutFolderSync.has(errorCode(error))) throw error;
  }
}

/** Does the same beside what else happens. */
export async function syncFolderBeside(folder: Pick<FileHandle, "sync">): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await folder.sync();
  } catch (error) {
    if (!withoutFolderSync.has(errorCode(error))) throw error;
  }
}
