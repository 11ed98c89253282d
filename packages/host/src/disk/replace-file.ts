import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { syncOpenFolder } from "./sync-folder.ts";
import { writeSynced } from "./synced-file.ts";

export interface ReplaceOptions {
  readonly isFlushed: boolean;
  readonly sync?: (file: number) => void;
}

export function replaceFile(file: string, text: string, { isFlushed, sync = fsyncSync }: ReplaceOptions): void {
  const folder = openSync(dirname(file), "r"); // Opened first, so that failures come before the rename.
  try {
    // Synced even if not flushed: the name may reach the disk before its content.
    writeSynced(`${file}.new`, text, { mode: 0o600, sync });
    renameSync(`${file}.new`, file);
    if (isFlushed) syncOpenFolder(folder, sync);
  } finally {
    closeSync(folder);
  }
}
