export { FakeClock } from "@incipit/kernel";
export { createGitRepository, type GitRepository } from "./git-repository.ts";
export { createMemoryStorage } from "./memory-storage.ts";
export { storageConformance, type StorageConformanceOptions, type StoragePromise } from "./storage-conformance.ts";
export {
  RecordingModelServer,
  startRecordingModelServer,
  type ModelReply,
  type RecordedRequest,
} from "./recording-model-server.ts";
export { createTempFolder, type TempFolder } from "./temp-folder.ts";
