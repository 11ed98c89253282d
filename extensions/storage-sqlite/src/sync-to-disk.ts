import { closeSync, fsyncSync, openSync } from "node:fs";

/** Syncs a file to disk, blocking. Always closes it. */
export function syncToDisk(path: string, sync: (file: number) => void = fsyncSync): void {
  const file = openSync(path, "r+");
  try {
    sync(file);
  } finally {
    closeSync(file);
  }
}
