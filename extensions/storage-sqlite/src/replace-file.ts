import { close, closeSync, fsyncSync, ftruncate, openSync, renameSync, write } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** @throws before anything moved, or after a move that may not be durable. */
export type MoveFile = (from: string, to: string) => void;

/** A rename survives a power loss once its folder is synced. */
export const moveFile: MoveFile = (from, to) => {
  const folder = openSync(dirname(to), "r"); // Fail before the rename where possible.
  try {
    renameSync(from, to);
    if (process.platform !== "win32") fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

const [closeFile, truncateFile] = [promisify(close), promisify(ftruncate)];
const overwriteFile = promisify(write);

/** SQLite's default page size. */
const pageBytes = 4_096;

/**
 * In the background, since freeing a large file takes long. Invalidates the header: a process that still has the old
 * file open would otherwise take the new file's log for its own and corrupt the new file.
 */
export async function closeReplacedFile(file: number): Promise<void> {
  try {
    await overwriteFile(file, new Uint8Array(pageBytes).fill(0xff), 0, pageBytes, 0);
    await truncateFile(file, pageBytes);
  } finally {
    await closeFile(file);
  }
}
