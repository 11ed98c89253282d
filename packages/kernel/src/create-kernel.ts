import { Activation } from "./activation.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Activate, Manifest } from "./extension.ts";
import { effectiveGrant } from "./effective-grant.ts";
import { errorMessage } from "./error-message.ts";
import type { ContractId, ServiceHandle } from "./handle.ts";
import {
  extensionControlHandle,
  type ExtensionHealth,
  type Kernel,
  type KernelOptions,
  type LoadRequest,
  type Phase,
} from "./kernel.ts";
import { KernelError } from "./kernel-error.ts";
import { checkUniqueIds, checkUniqueServices, loadOrder, requiredServices } from "./load-order.ts";
import { parseManifest } from "./manifest.ts";
import { ServiceRegistry } from "./service-registry.ts";
import { DeadlineError, withDeadline } from "./with-deadline.ts";

interface Entry {
  readonly manifest: Manifest;
  readonly activate: Activate;
  readonly granted: Capabilities;
  /** What the operator wants: `false` after an unload, or after a start that failed. */
  isWanted: boolean;
  phase: Phase;
  generation: number;
  since: number;
  activation: Activation | undefined;
  lastError: KernelError | undefined;
}

/** A kernel without extensions. Operations that change what is loaded run one after the other. */
export function createKernel(options: KernelOptions): Kernel {
  return new HostKernel(options);
}

class HostKernel implements Kernel {
  readonly #options: KernelOptions;
  readonly #activateTimeoutMs: number;
  readonly #releaseTimeoutMs: number;
  readonly #registry: ServiceRegistry;
  /** In load order. */
  #entries: readonly Entry[] = [];
  #lastOperation: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: KernelOptions) {
    this.#options = options;
    this.#activateTimeoutMs = options.activateTimeoutMs ?? 10_000;
    this.#releaseTimeoutMs = options.releaseTimeoutMs ?? 4_000;
    const log = options.drivers.log("kernel");
    this.#registry = new ServiceRegistry((error) => log.error("A listener failed", { error: errorMessage(error) }));
    this.#registry.service(extensionControlHandle.id).set({
      list: () => this.list(),
      load: (id: string) => this.load(id),
      unload: (id: string) => this.unload(id),
    });
  }

  list(): readonly ExtensionHealth[] {
    return this.#entries.map((entry) => this.#health(entry));
  }

  service<Service extends object>(handle: ServiceHandle<Service>): Service | undefined {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- `provideService` took it with the handle's own type
    return this.#registry.service(handle.id).current as Service | undefined;
  }

  add(requests: readonly LoadRequest[]): Promise<void> {
    return this.#serially(async () => {
      this.#assertOpen();
      const added = requests.map((request) => this.#register(request));
      const all = [...this.#entries, ...added];
      const manifests = all.map((entry) => entry.manifest);
      checkUniqueIds(manifests);
      checkUniqueServices(all.filter(({ isWanted }) => isWanted).map((entry) => entry.manifest));
      const byManifest = new Map(all.map((entry) => [entry.manifest, entry]));
      this.#entries = loadOrder(manifests).flatMap((manifest) => byManifest.get(manifest) ?? []);
      await this.#startWhatCan();
    });
  }

  load(id: string): Promise<ExtensionHealth> {
    return this.#serially(async () => {
      this.#assertOpen();
      const entry = this.#find(id);
      if (entry.phase !== "active") {
        const others = this.#entries.filter((other) => other !== entry && other.isWanted);
        checkUniqueServices([...others, entry].map(({ manifest }) => manifest));
        entry.isWanted = true;
        this.#setPhase(entry, "waiting");
        await this.#startWhatCan();
        if (!entry.isWanted && entry.lastError !== undefined) throw entry.lastError;
      }
      return this.#health(entry);
    });
  }

  unload(id: string): Promise<ExtensionHealth> {
    return this.#serially(async () => {
      const entry = this.#find(id);
      entry.isWanted = false;
      await this.#stop(entry);
      this.#setPhase(entry, "stopped");
      return this.#health(entry);
    });
  }

  close(): Promise<void> {
    return this.#serially(async () => {
      this.#isClosed = true;
      for (const entry of this.#entries.toReversed()) {
        entry.isWanted = false;
        await this.#stop(entry);
        this.#setPhase(entry, "stopped");
      }
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #register({ extension, grant, isDisabled = false }: LoadRequest): Entry {
    const { activate } = extension;
    const manifest = parseManifest(extension.manifest);
    return {
      manifest,
      activate,
      granted: effectiveGrant(manifest.capabilities ?? {}, grant ?? manifest.capabilities ?? {}),
      isWanted: !isDisabled,
      phase: isDisabled ? "stopped" : "waiting",
      generation: 0,
      since: this.#options.drivers.clock.now(),
      activation: undefined,
      lastError: undefined,
    };
  }

  #serially<Result>(operation: () => Promise<Result>): Promise<Result> {
    const run = this.#lastOperation.then(operation);
    this.#lastOperation = run.catch(() => undefined); // The caller sees the failure; the next operation runs all the same.
    return run;
  }

  /** What waited behind `close` must not start again what it stopped. */
  #assertOpen(): void {
    if (this.#isClosed)
      throw new KernelError("SCOPE_CLOSED", "Cannot load an extension: the host was closed; start it again");
  }

  #find(id: string): Entry {
    const entry = this.#entries.find((candidate) => candidate.manifest.id === id);
    if (entry !== undefined) return entry;
    const known = this.#entries.map((candidate) => `"${candidate.manifest.id}"`).join(", ");
    throw new KernelError("EXTENSION_UNKNOWN", `Cannot find extension "${id}"; there are ${known}`, {
      extension: id,
    });
  }

  #missing(entry: Entry): readonly ContractId[] {
    return requiredServices(entry.manifest).filter((id) => this.#registry.service(id).current === undefined);
  }

  /** One start can make others possible: goes over the list until nothing more can start. */
  async #startWhatCan(): Promise<void> {
    let hasStarted = true;
    while (hasStarted) {
      hasStarted = false;
      for (const entry of this.#entries) {
        if (!entry.isWanted || entry.phase !== "waiting" || this.#missing(entry).length > 0) continue;
        await this.#start(entry);
        hasStarted = true;
      }
    }
  }

  async #start(entry: Entry): Promise<void> {
    const { manifest } = entry;
    this.#setPhase(entry, "starting");
    entry.generation += 1;
    let activation: Activation | undefined;
    try {
      activation = new Activation({
        manifest,
        granted: entry.granted,
        drivers: this.#options.drivers,
        registry: this.#registry,
        releaseTimeoutMs: this.#releaseTimeoutMs,
      });
      await this.#activate(entry, activation);
    } catch (cause) {
      entry.isWanted = false;
      if (activation !== undefined) await this.#closeScope(entry, activation);
      entry.lastError = activateError(manifest.id, cause);
      this.#setPhase(entry, "failed");
      return;
    }
    entry.activation = activation;
    entry.lastError = undefined;
    this.#setPhase(entry, "active");
    activation.publish(manifest.id);
  }

  async #activate(entry: Entry, activation: Activation): Promise<void> {
    const { manifest } = entry;
    const run = async (): Promise<void> => {
      try {
        await entry.activate(activation.host);
      } catch (cause) {
        throw activateError(manifest.id, cause); // Also a deadline of the extension's own: only ours is ACTIVATE_TIMEOUT.
      }
    };
    try {
      await withDeadline(run, { timeoutMs: this.#activateTimeoutMs, clock: this.#options.drivers.clock });
    } catch (cause) {
      if (!(cause instanceof DeadlineError)) throw cause;
      const message = `Cannot start "${manifest.id}": activate did not end within ${cause.timeoutMs} ms`;
      throw new KernelError("ACTIVATE_TIMEOUT", message, { extension: manifest.id, cause });
    }
    activation.finish(manifest);
  }

  /** Dependants end while what they need is still there; then its services go, then its scope closes. */
  async #stop(entry: Entry): Promise<void> {
    const { activation, manifest } = entry;
    if (activation === undefined) return;
    for (const dependant of this.#entries.toReversed()) {
      const isDependant = requiredServices(dependant.manifest).some((id) => activation.provided.has(id));
      if (dependant === entry || !isDependant || dependant.activation === undefined) continue;
      await this.#stop(dependant);
      this.#setPhase(dependant, "waiting");
    }
    this.#setPhase(entry, "draining");
    entry.activation = undefined;
    activation.withdraw(manifest.id);
    await this.#closeScope(entry, activation);
  }

  async #closeScope(entry: Entry, activation: Activation): Promise<void> {
    try {
      await activation.scope.close();
    } catch (error) {
      // Each release was called; what failed is reported and left behind, so that unloading goes on.
      const { id } = entry.manifest;
      const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const failure of failures) {
        this.#options.drivers.log(id).error(errorMessage(failure), { cause: causeOf(failure) });
        if (KernelError.is(failure)) entry.lastError = failure;
      }
    }
  }

  #setPhase(entry: Entry, phase: Phase): void {
    if (entry.phase === phase) return;
    entry.phase = phase;
    entry.since = this.#options.drivers.clock.now();
  }

  #health(entry: Entry): ExtensionHealth {
    const { manifest, lastError } = entry;
    return {
      id: manifest.id,
      version: manifest.version,
      phase: entry.phase,
      generation: entry.generation,
      since: entry.since,
      provides: manifest.provides ?? [],
      waitsFor: entry.phase === "waiting" ? this.#missing(entry) : [],
      granted: entry.granted,
      ...(lastError === undefined ? {} : { lastError: { code: lastError.code, message: lastError.message } }),
    };
  }
}

function activateError(extension: string, cause: unknown): KernelError {
  if (KernelError.is(cause) && cause.extension === extension) return cause;
  return new KernelError("ACTIVATE_FAILED", `Cannot start "${extension}": ${errorMessage(cause)}`, {
    extension,
    cause,
  });
}

function causeOf(error: unknown): string | null {
  return error instanceof Error && error.cause !== undefined ? errorMessage(error.cause) : null;
}
