import { open } from "node:fs/promises";

/**
 * A later sync then has little to do. Not for a database file in use: closing a descriptor drops the locks that
 * SQLite holds on it.
 */
export async function syncInBackground(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
