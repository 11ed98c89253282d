export type {
  Capabilities,
  CapabilityName,
  ContractGrants,
  ContractUse,
  Environment,
  FileAbsentReason,
  FileRead,
  FileRefusedReason,
  FileRemoval,
  FileSystem,
  FilePlace,
  FileWrite,
  FolderAbsentReason,
  FolderEntry,
  FolderFile,
  FolderFiles,
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
  NetSocket,
  NetSocketEnd,
  NetSocketOptions,
  ProgramEnd,
  ProgramStart,
  ReadFileOptions,
  ReadFolderOptions,
  RemoveFileOptions,
  RunningProgram,
  Spawn,
  SpawnOptions,
  SpawnResult,
  StartProgramOptions,
  StorageGrant,
  WireObserver,
  WireRequest,
  WriteFileOptions,
} from "./contract/capabilities.ts";
export { requestedGrant } from "./capability/requested-grant.ts";
export type { Clock } from "./time/clock.ts";
export { createKernel } from "./lifecycle/create-kernel.ts";
export {
  defineConfiguration,
  type Configuration,
  type ConfigurationKeys,
  type ConfigurationProblem,
  type ConfigurationValues,
  type NeededEndpoint,
  type NeededProgram,
  type NeededVariable,
  type Needs,
  type ReservedName,
  type ValuesOf,
  type RequestedPermission,
  type RequestedPermissionOptions,
} from "./contract/configuration.ts";
export { isCredentialHeader } from "./contract/credential-header.ts";
export { headersKey, proxyKey, urlKey, variableKey } from "./contract/configuration-keys.ts";
export { describeCapabilities } from "./capability/describe-capabilities.ts";
export { effectiveGrant } from "./capability/effective-grant.ts";
export { errorMessage, readableError } from "./failures/error-message.ts";
export { defineExtension, type Activate, type Extension, type Manifest } from "./contract/extension.ts";
export { FakeClock } from "./time/fake-clock.ts";
export { grantDifference } from "./capability/grant-difference.ts";
export {
  defineHandle,
  definePoint,
  type Contract,
  type ContractId,
  type ExtensionPoint,
  type ServiceHandle,
} from "./contract/handle.ts";
export { assertCallerReads, type Caller } from "./contract/caller.ts";
export type { Contribution, Contributions, Host, ServiceReference } from "./contract/host.ts";
export type { JsonValue } from "./json/json.ts";
export { fittingJson, type JsonCheck } from "./json/fitting-json.ts";
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
} from "./json/json-bounds.ts";
export { findJsonFault, type JsonFault } from "./json/json-fault.ts";
export { LineFeeds } from "./json/line-feeds.ts";
export { messageMeter, type Arrival } from "./json/message-meter.ts";
export { KernelError, type KernelErrorCode, type KernelErrorOptions } from "./failures/kernel-error.ts";
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
} from "./contract/kernel.ts";
export { readKernelError } from "./failures/read-kernel-error.ts";
export type { Refusal, RefusalReport } from "./contract/kernel.ts";
export { grantProblems, kernelApiVersion, parseManifest } from "./contract/manifest.ts";
export { migrateStorage, type MigrateStorageOptions, type Migration } from "./storage/migrate-storage.ts";
export { isHostOf, parseNetEntry, type NetEntry } from "./contract/net-entry.ts";
export { OpenSocket } from "./capability/open-socket.ts";
export { routedView, type RoutedViewOptions } from "./services/routed-view.ts";
export { LinkedSignal } from "./time/linked-signal.ts";
export { SerialQueue } from "./time/serial-queue.ts";
export { Scope, type Release, type ScopeOptions } from "./time/scope.ts";
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
} from "./contract/storage.ts";
export { waitUnlessAborted } from "./time/wait-unless-aborted.ts";
export { DeadlineError, withDeadline, type DeadlineOptions } from "./time/with-deadline.ts";
