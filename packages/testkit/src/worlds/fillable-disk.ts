import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "./memory-storage.ts";

/** Refuses commits while it is full. */
export function fillableDisk(): { readonly storage: StorageDriver; readonly setFull: (isFull: boolean) => void } {
  const whole = createMemoryStorage();
  let full = false;
  const storage: StorageDriver = {
    ...whole,
    atomic: (checks, writes, options) =>
      full ? Promise.reject(new Error("the disk is full")) : whole.atomic(checks, writes, options),
  };
  return { storage, setFull: (isFull) => (full = isFull) };
}
