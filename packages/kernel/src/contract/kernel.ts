import type { Environment, FileSystem, FsGrant, Grant, Listen, Log, Net, Spawn } from "./capabilities.ts";
import type { Clock } from "../time/clock.ts";
import type { Extension } from "./extension.ts";
import { defineHandle, type Contract, type ContractId, type ServiceHandle } from "./handle.ts";
import type { KernelError, KernelErrorCode } from "../failures/kernel-error.ts";

/**
 * All I/O of a host, supplied by the composition root. Each factory is called once per activation, and only for granted
 * capabilities.
 */
export interface Drivers {
  readonly clock: Clock;
  fs(extension: string, grant: true | FsGrant): FileSystem;
  spawn(extension: string, grant: true | readonly string[]): Spawn;
  net(extension: string, grant: true | readonly string[]): Net;
  env(extension: string, grant: true | readonly string[]): Environment;
  listen(extension: string): Listen;
  log(extension: string): Log;
  /** Returns the operator's configuration of an extension; `{}` by default. */
  config(extension: string): unknown;
}

export interface KernelTimeouts {
  readonly activateTimeoutMs: number;
  /** Timeout of `activate` for `core` extensions, which read stored data from possibly slow disks. */
  readonly coreActivateTimeoutMs: number;
  readonly releaseTimeoutMs: number;
  /** Timeout of a swapped-out generation to finish its work, while the new one serves. */
  readonly drainTimeoutMs: number;
  /** Timeout of a generation that must end before the next can start; calls are queued this long. */
  readonly holdTimeoutMs: number;
  /** Time for calls in flight after an unload has released everything; after it they fail for their callers. */
  readonly graceMs: number;
}

/**
 * Timeouts default to 10 s to activate (60 s for `core`, unless only `activateTimeoutMs` is set), 4 s per release, 180
 * s to drain, 5 s to hold, 1 s of grace.
 */
export interface KernelOptions extends Partial<KernelTimeouts> {
  readonly drivers: Drivers;
  /** Known contracts; they override the handles that extensions bring along. */
  readonly contracts?: readonly Contract[];
  /** Absent: every name is free. */
  readonly reserved?: ReservedNames;
}

/**
 * Returns a description of a name's owner at a point, or `undefined` when the extension may use the name. Not called
 * for `core` extensions.
 */
export type ReservedNames = (point: string, name: string, extension: string) => string | undefined;

export type Phase = "waiting" | "starting" | "active" | "draining" | "stopped" | "failed";

/** `core`: part of the host. `standard`: restricted to its grant. Set by the operator, never by the extension. */
export type Trust = "core" | "standard";

export interface GenerationInfo {
  readonly version: string;
  readonly generation: number;
}

export interface FailureInfo {
  readonly code: KernelErrorCode;
  readonly message: string;
}

/**
 * Outcome of a swap:
 *
 * - `swapped`: the new generation serves, and the old one has ended.
 * - `kept-old`: the new generation did not start; the old one never stopped.
 * - `restored-old`: the old generation had to stop first; the new one did not start, and the old code was restarted.
 * - `failed`: as `restored-old`, but the old code did not restart.
 * - `loaded`: no generation ran before.
 */
export interface SwapReport {
  readonly outcome: "swapped" | "kept-old" | "restored-old" | "failed" | "loaded";
  readonly from: GenerationInfo;
  /** The requested generation, even if it did not start. */
  readonly to: GenerationInfo;
  /** Calls of the old generation that completed after the swap began. */
  readonly drained: number;
  /** Calls that missed the deadline and failed for their callers. */
  readonly cut: number;
  readonly tookMs: number;
  /** Start time, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly error?: FailureInfo;
}

export interface DamageReport {
  /** Distinct damaged records, counted up to one hundred. */
  readonly count: number;
  /** Problem of the first damaged record. */
  readonly first: string;
}

/** One distinct refusal of an extension, with its number of occurrences. */
export interface Refusal {
  /** The request and the reason for its refusal. */
  readonly message: string;
  readonly count: number;
  /** Time of the last occurrence, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface RefusalReport {
  /** Total number of refusals. */
  readonly count: number;
  /** Newest first; limited to the most recent distinct refusals. */
  readonly latest: readonly Refusal[];
}

export interface ExtensionHealth {
  readonly id: string;
  readonly version: string;
  readonly trust: Trust;
  readonly phase: Phase;
  /** Activations of this id, from 1; 0 before the first. */
  readonly generation: number;
  /** Start of the phase, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly provides: readonly ContractId[];
  /** Required services. */
  readonly requires: readonly ContractId[];
  /** Optional services. */
  readonly uses: readonly ContractId[];
  readonly contributes: readonly ContractId[];
  readonly reads: readonly ContractId[];
  /** Required services without a provider. */
  readonly waitsFor: readonly ContractId[];
  /** Ids of running extensions that use its services or extension points. */
  readonly usedBy: readonly string[];
  readonly callsInFlight: number;
  /** The swapped-out generation while it drains. */
  readonly draining?: GenerationInfo & { readonly callsInFlight: number };
  /** Requested by the manifest. */
  readonly asked: Grant;
  readonly granted: Grant;
  readonly refusals: RefusalReport;
  /** Unreadable records of its storage; they remain unchanged. */
  readonly damage?: DamageReport;
  readonly lastError?: FailureInfo;
  readonly lastSwap?: SwapReport;
}

/** Loads, unloads and swaps extensions of a running host; provided by the kernel. */
export interface ExtensionControl {
  list(): readonly ExtensionHealth[];
  /** Starts an unloaded or failed extension. @throws {KernelError} `EXTENSION_UNKNOWN`, or the start failure. */
  load(id: string): Promise<ExtensionHealth>;
  /** Stops the extension after its required dependants. @throws {KernelError} `EXTENSION_UNKNOWN`. */
  unload(id: string): Promise<ExtensionHealth>;
  /**
   * Restarts the same code as a new generation. Swaps of one extension are serialized. Dependants keep running, except
   * those that require a service missing in the new code: they stop first and wait for it. Resolves when the old
   * generation has ended.
   * @throws {KernelError} `EXTENSION_UNKNOWN`; the start failure when no generation ran before.
   */
  swap(id: string): Promise<SwapReport>;
}

export const extensionControlHandle: ServiceHandle<ExtensionControl> = defineHandle<ExtensionControl>(
  "extension-control@1",
  {
    list: "function",
    load: "function",
    unload: "function",
    swap: "function",
  },
);

export interface LoadRequest {
  readonly extension: Extension;
  /** The operator's grant; defaults to the manifest's requests. */
  readonly grant?: Grant;
  /** Defaults to `core`. */
  readonly trust?: Trust;
  /** Registers the extension without starting it: it stays `stopped` until loaded. */
  readonly isDisabled?: boolean;
}

/** Replacement code for a registered extension. */
export interface SwapRequest {
  readonly extension: Extension;
  /** The operator's grant; defaults to the manifest's requests, limited to the previous grant. */
  readonly grant?: Grant;
  /** Defaults to the previous trust. */
  readonly trust?: Trust;
  /** Called when the new generation takes over, which may be long before draining ends. */
  readonly onTakeOver?: () => void;
}

export interface Kernel extends ExtensionControl, AsyncDisposable {
  /**
   * Registers and starts extensions in dependency order. Validates all first: if one is refused (invalid manifest,
   * unmet API, duplicate id or service, cycle), none is registered. An extension whose `activate` fails becomes
   * `failed`; the others continue.
   * @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`, `DUPLICATE_EXTENSION`, `DUPLICATE_SERVICE`,
   * `DEPENDENCY_CYCLE`.
   */
  add(requests: readonly LoadRequest[]): Promise<void>;
  /**
   * As `ExtensionControl.swap`, with new code of the same id, which stays when it starts. Keeps the previous grant
   * unless a new one is given.
   * @throws {KernelError} as `add` too; nothing has changed then.
   */
  swap(id: string, next?: SwapRequest): Promise<SwapReport>;
  /**
   * Registers a service of the composition root for the lifetime of the kernel. Extensions look it up like any other.
   */
  provide<Service extends object>(handle: ServiceHandle<Service>, service: Service): void;
  /** Marks the host's start as complete and resolves `host.started` of all extensions. Idempotent. */
  finishStart(): void;
  /** Unloads and unregisters the extension. @throws {KernelError} `EXTENSION_UNKNOWN`. */
  remove(id: string): Promise<void>;
  /** Records an uncaught error of an extension in its health. */
  reportUncaught(id: string, error: unknown): void;
  /** Records an error of a contribution, already caught by its user, in the extension's health. */
  noteFailure(id: string, error: KernelError): void;
  /** Returns a service for the composition root. */
  service<Service extends object>(handle: ServiceHandle<Service>): Service | undefined;
  /** Stops all extensions, dependants first; nothing can start afterwards. */
  close(): Promise<void>;
}
