import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Returns once all of an open file, or folder, is on the disk. */
type SyncFile = (file: number) => void;

export interface ReplaceOptions {
  /** It survives a loss of power once this returns. Otherwise it is there whole, the new one or the old one. */
  readonly isFlushed: boolean;
  readonly sync?: SyncFile;
}

/** Writes a file of the data folder whole or not at all, for its owner alone. @throws {Error} when that cannot be done. */
export function replaceFile(file: string, text: string, { isFlushed, sync = fsyncSync }: ReplaceOptions): void {
  const folder = openSync(dirname(file), "r"); // What can fail before the rename fails before it.
  try {
    writeDraft(`${file}.new`, text, isFlushed ? sync : () => {});
    renameSync(`${file}.new`, file);
    // A name survives once its folder is on the disk; Windows has no way to ask for that.
    if (isFlushed && process.platform !== "win32") sync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeDraft(path: string, text: string, sync: SyncFile): void {
  const draft = openSync(path, "w", 0o600);
  try {
    writeFileSync(draft, text);
    sync(draft);
  } finally {
    closeSync(draft);
  }
}
