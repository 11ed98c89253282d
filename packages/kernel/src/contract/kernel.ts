import type { Environment, FileSystem, FsGrant, Grant, Listen, Log, Net, Spawn } from "./capabilities.ts";
import type { Clock } from "../time/clock.ts";
import type { Extension } from "./extension.ts";
import { defineHandle, type Contract, type ContractId, type ServiceHandle } from "./handle.ts";
import type { KernelError, KernelErrorCode } from "../failures/kernel-error.ts";

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
  config(extension: string): unknown;
}

export interface KernelTimeouts {
  /** How long `activate` may take. */
  readonly activateTimeoutMs: number;
  /** The same for what is trusted as `core`: it reads what is stored, on a disk and a machine that may be slow. */
  readonly coreActivateTimeoutMs: number;
  /** How long each release of a scope may take. */
  readonly releaseTimeoutMs: number;
  /** How long a generation that was swapped out may take to end what it does; the one that came serves meanwhile. */
  readonly drainTimeoutMs: number;
  /** The same for one that has to end before the next can begin: calls are held so long. */
  readonly holdTimeoutMs: number;
  /** How long calls in flight have, after an unload has released all, until they are ended for their callers. */
  readonly graceMs: number;
}

/** Without a timeout: 10 s to activate (60 s for `core`, or as the others where theirs is given), 4 s a release, 180 s to drain, 5 s held, 1 s of grace. */
export interface KernelOptions extends Partial<KernelTimeouts> {
  readonly drivers: Drivers;
  /** What is known of services and points: it holds whatever an extension brings along as its own handle for one. */
  readonly contracts?: readonly Contract[];
  /** Absent: any name is free. */
  readonly reserved?: ReservedNames;
}

/** Whose a name at a point is, in words; `undefined`: the extension may have it. What is trusted as `core` is not asked about. */
export type ReservedNames = (point: string, name: string, extension: string) => string | undefined;

export type Phase = "waiting" | "starting" | "active" | "draining" | "stopped" | "failed";

/** `core`: part of the host. `standard`: has what it was granted. Said by the operator, never by the extension. */
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
 * How a swap went.
 *
 * - `swapped`: the new generation serves, and the old one is over.
 * - `kept-old`: the new one did not start; the old one never stopped.
 * - `restored-old`: the old one had to stop first; the new one did not start, and the old code was started again.
 * - `failed`: as `restored-old`, but the old code did not start again either.
 * - `loaded`: nothing ran before.
 */
export interface SwapReport {
  readonly outcome: "swapped" | "kept-old" | "restored-old" | "failed" | "loaded";
  readonly from: GenerationInfo;
  /** What was to come, also where it did not. */
  readonly to: GenerationInfo;
  /** Calls of the old generation that ended by themselves after the swap had begun. */
  readonly drained: number;
  /** Calls that did not end before the deadline, and were ended for their callers. */
  readonly cut: number;
  readonly tookMs: number;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly error?: FailureInfo;
}

export interface DamageReport {
  /** Different ones; those beyond the first hundred are not counted. */
  readonly count: number;
  /** What is wrong with the first of them. */
  readonly first: string;
}

/** One thing that an extension was refused, however often. */
export interface Refusal {
  /** What was asked, and why it was refused. */
  readonly message: string;
  readonly count: number;
  /** Time of the last one, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface RefusalReport {
  /** All of them. */
  readonly count: number;
  /** The newest first; of many different ones, those that came last. */
  readonly latest: readonly Refusal[];
}

export interface ExtensionHealth {
  readonly id: string;
  readonly version: string;
  readonly trust: Trust;
  readonly phase: Phase;
  /** Counts activations of this id from 1; 0 before the first. */
  readonly generation: number;
  /** When the phase began, in milliseconds since the Unix epoch. */
  readonly since: number;
  readonly provides: readonly ContractId[];
  /** Services that it cannot do without. */
  readonly requires: readonly ContractId[];
  /** Services that it uses when they are there. */
  readonly uses: readonly ContractId[];
  readonly contributes: readonly ContractId[];
  readonly reads: readonly ContractId[];
  /** Required services that nobody provides. */
  readonly waitsFor: readonly ContractId[];
  /** Ids of running extensions that name what it provides or contributes to. */
  readonly usedBy: readonly string[];
  readonly callsInFlight: number;
  /** A generation that was swapped out, and has not ended yet. */
  readonly draining?: GenerationInfo & { readonly callsInFlight: number };
  /** What its manifest asks for. */
  readonly asked: Grant;
  readonly granted: Grant;
  readonly refusals: RefusalReport;
  /** Records of its storage that it could not read; they are as they were. */
  readonly damage?: DamageReport;
  readonly lastError?: FailureInfo;
  readonly lastSwap?: SwapReport;
}

/** Loads, unloads and swaps extensions of a running host; the kernel itself provides it. */
export interface ExtensionControl {
  list(): readonly ExtensionHealth[];
  /** Starts one that was unloaded or has failed. @throws {KernelError} `EXTENSION_UNKNOWN`, or why it did not start. */
  load(id: string): Promise<ExtensionHealth>;
  /** Stops it, its required dependants before it. @throws {KernelError} `EXTENSION_UNKNOWN`. */
  unload(id: string): Promise<ExtensionHealth>;
  /**
   * Starts the same code anew, and lets it take over. Swaps of one extension are one at a time: a second one waits.
   * Dependants go on; those that require a service which the new code does not have stop first, and wait for it.
   * Resolves when the old generation is over.
   * @throws {KernelError} `EXTENSION_UNKNOWN`; why it did not start, when nothing ran before.
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
  /** What the operator grants; absent: what the manifest asks for. */
  readonly grant?: Grant;
  /** Absent: `core`. */
  readonly trust?: Trust;
  /** Registered and not started: it is `stopped` until somebody loads it. */
  readonly isDisabled?: boolean;
}

/** Other code for an extension that is there. */
export interface SwapRequest {
  readonly extension: Extension;
  /** What the operator grants; absent: what the manifest asks for, as far as the code before had it. */
  readonly grant?: Grant;
  /** Absent: that of the code before. */
  readonly trust?: Trust;
  /** Called when it takes over, which is long before the swap is over when much has to drain. */
  readonly onTakeOver?: () => void;
}

export interface Kernel extends ExtensionControl, AsyncDisposable {
  /**
   * Registers and starts extensions in dependency order. All are checked first: when one is refused (bad manifest, unmet
   * API, duplicate id or service, cycle), nothing of the call is registered. One whose `activate` fails is `failed`, and
   * the others go on.
   * @throws {KernelError} `MANIFEST_INVALID`, `API_MISMATCH`, `DUPLICATE_EXTENSION`, `DUPLICATE_SERVICE`, `DEPENDENCY_CYCLE`.
   */
  add(requests: readonly LoadRequest[]): Promise<void>;
  /**
   * As `ExtensionControl.swap`, with other code of the same id, which stays when it starts. It has no more than the code
   * before, unless it is granted more here.
   * @throws {KernelError} also as `add`, and nothing is changed then.
   */
  swap(id: string, next?: SwapRequest): Promise<SwapReport>;
  /** A service of the composition root itself, there for as long as the kernel. Extensions look it up as any other. */
  provide<Service extends object>(handle: ServiceHandle<Service>, service: Service): void;
  /** Everything that the host starts with was loaded, or could not be: `host.started` resolves for all. Says nothing a second time. */
  finishStart(): void;
  /** Unloads it and forgets it. @throws {KernelError} `EXTENSION_UNKNOWN`. */
  remove(id: string): Promise<void>;
  /** Notes in its health what an extension threw where nobody could catch it. */
  reportUncaught(id: string, error: unknown): void;
  /** Notes in its health what something that it adds threw, and whoever used that caught. */
  noteFailure(id: string, error: KernelError): void;
  /** A service as the composition root sees it. */
  service<Service extends object>(handle: ServiceHandle<Service>): Service | undefined;
  /** Stops everything, dependants first; nothing is started any more. */
  close(): Promise<void>;
}
