import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** What a storage extension offers beside its driver: that what was deleted cannot be found in its files. */
export interface StorageErasure {
  /**
   * Resolves once nothing is left in the files of what was deleted before the call; where that would take long, the rest
   * goes soon after it. Nobody else waits meanwhile. Other files, such as backups, are not touched.
   */
  eraseDeleted(): Promise<void>;
}

export const storageErasureHandle: ServiceHandle<StorageErasure> = defineHandle<StorageErasure>(
  "storage-erasure@1",
  {
    eraseDeleted: "function",
  },
);
