import { closeSync, fsyncSync, openSync } from "node:fs";

/** Takes what was written to a file to the disk, and holds everybody meanwhile. It is closed again, whatever comes of that. */
export function syncToDisk(path: string, sync: (file: number) => void = fsyncSync): void {
  const file = openSync(path, "r+");
  try {
    sync(file);
  } finally {
    closeSync(file);
  }
}
