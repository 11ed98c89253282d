import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

export interface SyncedFileOptions {
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
