import { open } from "node:fs/promises";

/**
 * Takes what was written to a file to the disk, beside what else happens: a sync later has little left to do. Not for a database
 * file that is in use: to close it takes away the locks that SQLite has on it.
 */
export async function syncBeside(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
