import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { syncOpenFolder } from "./sync-folder.ts";
import { writeSynced } from "./synced-file.ts";

export interface ReplaceOptions {
  /** It survives a loss of power once this returns. Otherwise the file is whole after one, the new one or the old one. */
  readonly isFlushed: boolean;
  /** Returns once all of an open file, or folder, is on the disk. */
  readonly sync?: (file: number) => void;
}

/** Writes a file of the data folder whole or not at all, for its owner alone. @throws {Error} when that cannot be done. */
export function replaceFile(file: string, text: string, { isFlushed, sync = fsyncSync }: ReplaceOptions): void {
  const folder = openSync(dirname(file), "r"); // What can fail before the rename fails before it.
  try {
    // Also where nobody waits for it: a name may reach the disk before the content that it is for.
    writeSynced(`${file}.new`, text, { mode: 0o600, sync });
    renameSync(`${file}.new`, file);
    if (isFlushed) syncOpenFolder(folder, sync);
  } finally {
    closeSync(folder);
  }
}
