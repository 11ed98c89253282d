export { FakeClock } from "@incipit/kernel";
export { chatRequestProblems } from "./chat-request-problems.ts";
export {
  startExtension,
  type LogEntry,
  type StartedExtension,
  type StartExtensionOptions,
} from "./extension-host.ts";
export { createGitRepository, type GitRepository } from "./git-repository.ts";
export { createMemoryStorage } from "./memory-storage.ts";
export {
  promptSegmentConformance,
  type PromptSegmentConformanceOptions,
  type PromptSegmentPromise,
} from "./prompt-segments-conformance.ts";
export {
  promptVariablesConformance,
  type PromptVariablesConformanceOptions,
  type PromptVariablesPromise,
} from "./prompt-variables-conformance.ts";
export {
  providerConformance,
  type ProviderConformanceOptions,
  type ProviderPromise,
  type ProviderWorldOptions,
} from "./provider-conformance.ts";
export { storageConformance, type StorageConformanceOptions, type StoragePromise } from "./storage-conformance.ts";
export {
  RecordingModelServer,
  startRecordingModelServer,
  type RecordingModelServerOptions,
} from "./recording-model-server.ts";
export type { RecordedRequest } from "./recorded-request.ts";
export {
  RecordingProxy,
  startRecordingProxy,
  type ProxiedRequest,
  type RecordingProxyOptions,
} from "./recording-proxy.ts";
export type { ModelReply, ReplyUsage } from "./model-reply.ts";
export type { WireName } from "./wire-format.ts";
export { anthropicRequestProblems } from "./anthropic-request-problems.ts";
export { geminiRequestProblems } from "./gemini-request-problems.ts";
export { responsesRequestProblems } from "./openai-responses-request-problems.ts";
export type { TestFiles } from "./test-files.ts";
export type { TestFetch } from "./test-net.ts";
export { createTempFolder, type TempFolder } from "./temp-folder.ts";
export { mergeDeltas, numberProblems, type MergedDelta, type MergedEvent } from "./turn-event-sequence.ts";
export { toolConformance, type ToolConformanceOptions, type ToolPromise } from "./tool-conformance.ts";
