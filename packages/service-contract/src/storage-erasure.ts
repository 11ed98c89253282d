import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** Optional service of a storage extension: removes deleted data from its files. */
export interface StorageErasure {
  /**
   * Resolves once data deleted before the call is erased from the storage's files; if that takes long, the rest
   * follows in the background. Does not block other callers. Backups and other files are not affected.
   */
  eraseDeleted(): Promise<void>;
}

export const storageErasureHandle: ServiceHandle<StorageErasure> = defineHandle<StorageErasure>(
  "storage-erasure@1",
  {
    eraseDeleted: "function",
  },
);
