import { createMemoryStorage } from "./memory-storage.ts";
import { storageConformance } from "../conformance/storage-conformance.ts";

storageConformance("memory", {
  open: async () => ({ ...createMemoryStorage(), [Symbol.asyncDispose]: async () => {} }),
});
