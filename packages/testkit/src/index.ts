export { FakeClock } from "@incipit/kernel";
export { createGitRepository, type GitRepository } from "./git-repository.ts";
export { createMemoryStorage } from "./memory-storage.ts";
export { storageConformance, type StorageConformanceOptions, type StoragePromise } from "./storage-conformance.ts";
export { createTempFolder, type TempFolder } from "./temp-folder.ts";
