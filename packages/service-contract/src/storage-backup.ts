import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** Copies of all that is stored, beside it; for what is about to change it for good. */
export interface StorageBackup {
  /** Resolves with where the copy lies, once it is on disk. Older copies go when there are too many. */
  backUp(): Promise<{ readonly path: string }>;
}

export const storageBackupHandle: ServiceHandle<StorageBackup> = defineHandle<StorageBackup>("storage-backup@1", {
  backUp: "function",
});
