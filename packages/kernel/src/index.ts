export type {
  Capabilities,
  CapabilityName,
  ContractGrants,
  ContractUse,
  Environment,
  FileAbsentReason,
  FileRead,
  FileRefusedReason,
  FileSystem,
  FilePlace,
  FileWrite,
  FolderAbsentReason,
  FolderEntry,
  FolderList,
  FsGrant,
  Grant,
  Listen,
  Listener,
  ListenOptions,
  ListFolderOptions,
  LocateFileOptions,
  Log,
  Net,
  NetFetchOptions,
  ProgramEnd,
  ProgramStart,
  ReadFileOptions,
  RunningProgram,
  Spawn,
  SpawnOptions,
  SpawnResult,
  StartProgramOptions,
  StorageGrant,
  WireObserver,
  WireRequest,
  WriteFileOptions,
} from "./capabilities.ts";
export { askedGrant } from "./asked-grant.ts";
export type { Clock } from "./clock.ts";
export { createKernel } from "./create-kernel.ts";
export { describeCapabilities } from "./describe-capabilities.ts";
export { effectiveGrant } from "./effective-grant.ts";
export { errorMessage, readableError } from "./error-message.ts";
export { defineExtension, type Activate, type Extension, type Manifest } from "./extension.ts";
export { FakeClock } from "./fake-clock.ts";
export { grantDifference } from "./grant-difference.ts";
export {
  defineHandle,
  definePoint,
  type Contract,
  type ContractId,
  type ExtensionPoint,
  type ServiceHandle,
} from "./handle.ts";
export { assertCallerReads, type Caller } from "./caller.ts";
export type { Contribution, Contributions, Host, ServiceReference } from "./host.ts";
export type { JsonValue } from "./json.ts";
export {
  isJsonTextTooDeep,
  isJsonTextTooWide,
  isTooDeep,
  jsonTextProblem,
  maxJsonDepth,
  maxJsonValues,
  parseJson,
  tooDeepText,
  tooWideText,
} from "./json-bounds.ts";
export { LineFeeds } from "./line-feeds.ts";
export { messageMeter, type Arrival } from "./message-meter.ts";
export { KernelError, type KernelErrorCode, type KernelErrorOptions } from "./kernel-error.ts";
export {
  extensionControlHandle,
  type Drivers,
  type ExtensionControl,
  type ExtensionHealth,
  type FailureInfo,
  type GenerationInfo,
  type Kernel,
  type KernelOptions,
  type LoadRequest,
  type Phase,
  type ReservedNames,
  type SwapReport,
  type SwapRequest,
  type Trust,
} from "./kernel.ts";
export { settledError } from "./settled-error.ts";
export type { Refusal, RefusalReport } from "./refusals.ts";
export { grantProblems, kernelApiVersion, parseManifest } from "./manifest.ts";
export { migrateStorage, type MigrateStorageOptions, type Migration } from "./migrate-storage.ts";
export { parseNetEntry, type NetEntry } from "./net-entry.ts";
export { Scope, type Release, type ScopeOptions } from "./scope.ts";
export {
  storageDriverHandle,
  type AtomicResult,
  type CommitOptions,
  type NamespacedCheck,
  type NamespacedWrite,
  type Storage,
  type StorageBatch,
  type StorageChange,
  type StorageCheck,
  type StorageDriver,
  type StorageRange,
  type StorageVersion,
  type StorageWrite,
  type StoredEntry,
  type ValueSchema,
  type Versioned,
} from "./storage.ts";
export { DeadlineError, withDeadline, type DeadlineOptions } from "./with-deadline.ts";
