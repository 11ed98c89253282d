import { closeSync, fsyncSync, openSync } from "node:fs";

export function syncToDisk(path: string, sync: (file: number) => void = fsyncSync): void {
  const file = openSync(path, "r+");
  try {
    sync(file);
  } finally {
    closeSync(file);
  }
}
