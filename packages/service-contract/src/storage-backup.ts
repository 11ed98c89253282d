import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** Backups of the storage, taken before irreversible changes. */
export interface StorageBackup {
  /** Writes a backup and resolves with its path once it is on disk. Deletes the oldest backups beyond the limit. */
  backUp(): Promise<{ readonly path: string }>;
}

export const storageBackupHandle: ServiceHandle<StorageBackup> = defineHandle<StorageBackup>("storage-backup@1", {
  backUp: "function",
});
