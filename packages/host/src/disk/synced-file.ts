import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

export interface SyncedFileOptions {
  readonly flag?: "w" | "wx";
  readonly mode?: number;
  readonly sync?: (file: number) => void;
}

/** Once this returns the content is on the disk; the name is safe once its folder is synced. */
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
