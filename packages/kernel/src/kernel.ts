import type { Capabilities, Environment, FileSystem, FsGrant, Listen, Log, Net, Spawn } from "./capabilities.ts";
import type { Clock } from "./clock.ts";
import type { Extension } from "./extension.ts";
import { defineHandle, type ContractId, type ServiceHandle } from "./handle.ts";
import type { JsonValue } from "./json.ts";
import type { KernelErrorCode } from "./kernel-error.ts";

/** What the composition root gives; called once an activation, only for what was granted. All I/O of a host is behind these. */
export interface Drivers {
  readonly clock: Clock;
  fs(extension: string, grant: true | FsGrant): FileSystem;
  spawn(extension: string, grant: true | readonly string[]): Spawn;
  net(extension: string, grant: true | readonly string[]): Net;
  env(extension: string, grant: true | readonly string[]): Environment;
  listen(extension: string): Listen;
  log(extension: string): Log;
  /** What the operator configured for the extension; `{}` when nothing. */
  config(extension: string): JsonValue;
}

export interface KernelOptions {
  readonly drivers: Drivers;
  readonly activateTimeoutMs?: number;
  readonly releaseTimeoutMs?: number;
}

export type Phase = "waiting" | "starting" | "active" | "draining" | "stopped" | "failed";

export interface ExtensionHealth {
  readonly id: string;
  readonly version: string;
  readonly phase: Phase;
  /** Counts activations of this id from 1; 0 before the first. */
  readonly generation: number;
  /** When the phase began, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly provides: readonly ContractId[];
  /** Required services that nobody provides. */
  readonly waitsFor: readonly ContractId[];
  readonly granted: Capabilities;
  readonly lastError?: { readonly code: KernelErrorCode; readonly message: string };
}

/** Loads and unloads extensions of a running host; the kernel itself provides it. */
export interface ExtensionControl {
  list(): readonly ExtensionHealth[];
  /** Starts one that was unloaded or has failed. @throws {KernelError} `EXTENSION_UNKNOWN`, or why it did not start. */
  load(id: string): Promise<ExtensionHealth>;
  /** Stops it, its required dependants before it. @throws {KernelError} `EXTENSION_UNKNOWN`. */
  unload(id: string): Promise<ExtensionHealth>;
}

export const extensionControlHandle: ServiceHandle<ExtensionControl> = defineHandle("extension-control@1");

export interface LoadRequest {
  readonly extension: Extension;
  /** What the operator grants; absent: what the manifest asks for. */
  readonly grant?: Capabilities;
  /** Registered and not started: it is `stopped` until somebody loads it. */
  readonly isDisabled?: boolean;
}

export interface Kernel extends ExtensionControl, AsyncDisposable {
  /**
   * Registers and starts extensions in dependency order. All are checked first: when one is refused (bad manifest, unmet
   * API, duplicate id or service, cycle), nothing of the call is registered. One whose `activate` fails is `failed`, and
   * the others go on.
   * @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`, `DUPLICATE_EXTENSION`, `DUPLICATE_SERVICE`, `DEPENDENCY_CYCLE`.
   */
  add(requests: readonly LoadRequest[]): Promise<void>;
  /** A service as the composition root sees it. */
  service<Service extends object>(handle: ServiceHandle<Service>): Service | undefined;
  /** Stops everything, dependants first. */
  close(): Promise<void>;
}
