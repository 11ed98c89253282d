import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";

export interface SyncedFileOptions {
  /** How the file is opened: `wx` fails where something is. */
  readonly flag?: "w" | "wx";
  /** Mode of a new file. */
  readonly mode?: number;
  readonly sync?: (file: number) => void;
}

/** Writes a file, and returns once its content is on the disk. Its name is, once its folder was synced. */
export function writeSynced(
  path: string,
  text: string,
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
