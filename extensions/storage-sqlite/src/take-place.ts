import { close, closeSync, fsyncSync, ftruncate, openSync, renameSync, write } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** Lets a file take the place of another one. @throws while both are where they were, or when it has moved and may be back. */
export type MoveFile = (from: string, to: string) => void;

/** A rename survives a loss of power once its folder is on the disk. */
export const moveFile: MoveFile = (from, to) => {
  const folder = openSync(dirname(to), "r"); // What can fail before the rename fails before it.
  try {
    renameSync(from, to);
    if (process.platform !== "win32") fsyncSync(folder); // Which flushes no folder when it is asked.
  } finally {
    closeSync(folder);
  }
};

const [closeFile, truncateFile] = [promisify(close), promisify(ftruncate)];
const overwriteFile = promisify(write);

/** SQLite's own page size, which nobody here changes. */
const pageBytes = 4_096;

/**
 * Closes a data file whose place another one has taken, beside what else happens: to free a large one takes long. Who opened it
 * before, with another tool, and reads it only now would take the log of the new file for its own, and write what is in both
 * into the new one: it finds a damaged file.
 */
export async function retireFile(file: number): Promise<void> {
  try {
    await overwriteFile(file, new Uint8Array(pageBytes).fill(0xff), 0, pageBytes, 0);
    await truncateFile(file, pageBytes);
  } finally {
    await closeFile(file);
  }
}
