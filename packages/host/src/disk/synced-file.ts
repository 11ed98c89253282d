import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { errorCode } from "../failures/error-code.ts";
import { dirname, resolve } from "node:path";

interface SyncedFileOptions {
  readonly flag?: "w" | "wx";
  readonly mode?: number;
  readonly sync?: (file: number) => void;
}

export function writeSynced(
  path: string,
  text: string | Uint8Array,
  { flag = "w", mode = 0o666, sync = fsyncSync }: SyncedFileOptions = {},
): void {
  const file = openSync(path, flag, mode);
  try {
    writeFileSync(file, text);
    sync(file);
  } finally {
    closeSync(file);
  }
}

/** Error codes of file systems that cannot sync folders, such as some network ones. */
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

/** Creates folders, which survive a power loss once this returns. */
export function makeFolders(path: string, { mode = 0o777 }: { readonly mode?: number } = {}): void {
  const last = resolve(path);
  const first = mkdirSync(last, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

interface ReplaceOptions {
  readonly isFlushed: boolean;
  readonly sync?: (file: number) => void;
}

export function replaceFile(file: string, text: string, { isFlushed, sync = fsyncSync }: ReplaceOptions): void {
  const folder = openSync(dirname(file), "r"); // Opened first, so that failures come before the rename.
  try {
    // Synced even if not flushed: the name may reach the disk before its content.
    writeSynced(`${file}.new`, text, { mode: 0o600, sync });
    renameSync(`${file}.new`, file);
    if (isFlushed) syncOpenFolder(folder, sync);
  } finally {
    closeSync(folder);
  }
}
