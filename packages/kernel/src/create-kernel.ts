import { Activation, type ActivationOptions } from "./activation.ts";
import { effectiveGrant } from "./effective-grant.ts";
import { healthOf, type Definition, type Draining, type Entry } from "./entry.ts";
import { errorMessage } from "./error-message.ts";
import type { ContractId, ServiceHandle } from "./handle.ts";
import {
  extensionControlHandle,
  type ExtensionHealth,
  type Kernel,
  type KernelOptions,
  type LoadRequest,
  type Phase,
  type SwapReport,
} from "./kernel.ts";
import { KernelError } from "./kernel-error.ts";
import type { DrainResult } from "./leases.ts";
import { checkUniqueIds, checkUniqueServices, loadOrder, requiredServices } from "./load-order.ts";
import { parseManifest } from "./manifest.ts";
import { Refusals } from "./refusals.ts";
import { ServiceRegistry } from "./service-registry.ts";
import { DeadlineError, withDeadline } from "./with-deadline.ts";

/** A kernel without extensions. Operations that change what is loaded run one after the other. */
export function createKernel(options: KernelOptions): Kernel {
  return new HostKernel(options);
}

/** A swap that has begun: what is known of it, and what is left to do beside other operations. */
interface BegunSwap {
  readonly outcome: SwapReport["outcome"];
  readonly to: SwapReport["to"];
  readonly error?: KernelError;
  /** The old generation's calls; absent: none are left. */
  readonly drain?: DrainResult | Promise<DrainResult>;
}

/** The generation before, and whether it still runs. */
interface Replaced {
  readonly replaces: Activation;
  readonly isBeside?: boolean;
}

interface DrainRequest {
  readonly activation: Activation;
  readonly timeoutMs: number;
  /** Ends the waiting before the time is up. */
  readonly signal: AbortSignal;
}

class HostKernel implements Kernel {
  readonly #options: KernelOptions;
  readonly #timeouts: Required<Omit<KernelOptions, "drivers">>;
  readonly #registry: ServiceRegistry;
  /** In load order. */
  #entries: readonly Entry[] = [];
  #lastOperation: Promise<unknown> = Promise.resolve();
  readonly #lastSwaps = new Map<string, Promise<unknown>>();
  /** Provided by the host, and by no extension. */
  readonly #ownServices = new Set<ContractId>();
  #isClosed = false;

  constructor(options: KernelOptions) {
    const { drivers, ...timeouts } = options;
    this.#options = options;
    this.#timeouts = {
      activateTimeoutMs: 10_000,
      releaseTimeoutMs: 4_000,
      drainTimeoutMs: 300_000,
      holdTimeoutMs: 5_000,
      graceMs: 1_000,
      ...timeouts,
    };
    const log = drivers.log("kernel");
    this.#registry = new ServiceRegistry((error) => log.error("A listener failed", { error: errorMessage(error) }));
    this.provide(extensionControlHandle, {
      list: () => this.list(),
      load: (id: string) => this.load(id),
      unload: (id: string) => this.unload(id),
      swap: (id: string) => this.swap(id),
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
      checkUniqueIds(all.map(({ definition }) => definition.manifest));
      checkUniqueServices(all.filter(({ isWanted }) => isWanted).map(({ definition }) => definition.manifest));
      this.#entries = inLoadOrder(all);
      await this.#startWhatCan();
    });
  }

  load(id: string): Promise<ExtensionHealth> {
    return this.#serially(async () => {
      this.#assertOpen();
      const entry = this.#find(id);
      if (entry.phase !== "active") await this.#startWanted(entry);
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

  provide<Service extends object>(handle: ServiceHandle<Service>, service: Service): void {
    this.#registry.service(handle.id).set(service);
    this.#ownServices.add(handle.id);
  }

  remove(id: string): Promise<void> {
    return this.#serially(async () => {
      const entry = this.#find(id);
      entry.isWanted = false;
      await this.#stop(entry);
      this.#entries = this.#entries.filter((other) => other !== entry);
    });
  }

  swap(id: string, next?: LoadRequest): Promise<SwapReport> {
    const run = (this.#lastSwaps.get(id) ?? Promise.resolve()).then(() => this.#swap(id, next));
    const settled = run.then(
      () => undefined,
      () => undefined, // The caller sees the failure; the next swap runs all the same.
    );
    this.#lastSwaps.set(id, settled);
    void settled.then(() => {
      if (this.#lastSwaps.get(id) === settled) this.#lastSwaps.delete(id);
    });
    return run;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    // A swap that waits keeps what comes behind it from beginning; those beside it end in their turn, with their dependants.
    for (const entry of this.#entries) if (entry.phase === "draining") entry.draining?.hurry();
    return this.#serially(async () => {
      for (const entry of this.#entries.toReversed()) {
        entry.isWanted = false;
        await this.#stop(entry);
        this.#setPhase(entry, "stopped");
      }
    });
  }

  reportUncaught(id: string, error: unknown): void {
    const entry = this.#entries.find(({ definition }) => definition.manifest.id === id);
    const message = `"${id}" threw where nobody could catch it: ${errorMessage(error)}`;
    this.#options.drivers.log(id).error(message, { cause: causeOf(error) });
    if (entry !== undefined)
      entry.lastError = new KernelError("UNCAUGHT", message, { extension: id, cause: error });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #define({ extension, grant, trust = "core" }: LoadRequest): Definition {
    const manifest = parseManifest(extension.manifest);
    const asked = manifest.capabilities ?? {};
    const taken = manifest.provides?.find((service) => this.#ownServices.has(service));
    if (taken !== undefined) {
      const message = `Cannot load "${manifest.id}": the host itself provides "${taken}"; take it out of provides`;
      throw new KernelError("DUPLICATE_SERVICE", message, { extension: manifest.id });
    }
    return { manifest, activate: extension.activate, granted: effectiveGrant(asked, grant ?? asked), trust };
  }

  #register(request: LoadRequest): Entry {
    const { drivers } = this.#options;
    const definition = this.#define(request);
    const isDisabled = request.isDisabled ?? false;
    return {
      definition,
      refusals: new Refusals(drivers.clock, drivers.log(definition.manifest.id)),
      isWanted: !isDisabled,
      phase: isDisabled ? "stopped" : "waiting",
      since: drivers.clock.now(),
      lastGeneration: 0,
      activation: undefined,
      draining: undefined,
      lastError: undefined,
      lastSwap: undefined,
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
    const entry = this.#entries.find(({ definition }) => definition.manifest.id === id);
    if (entry !== undefined) return entry;
    const known = this.#entries.map(({ definition }) => `"${definition.manifest.id}"`).join(", ");
    throw new KernelError("EXTENSION_UNKNOWN", `Cannot find extension "${id}"; there are ${known}`, {
      extension: id,
    });
  }

  /** A commit may be refused for one whose batch was joined. */
  #refusalsOf(error: unknown, entry: Entry): Refusals {
    const named = KernelError.is(error) ? error.extension : undefined;
    return (this.#entries.find(({ definition }) => definition.manifest.id === named) ?? entry).refusals;
  }

  /** Made apart from `#activate`: what is made there holds all that it knows, and so each generation the one before. */
  #listenersFor(entry: Entry): Pick<ActivationOptions, "onRefusal" | "onUncaught"> {
    const { id } = entry.definition.manifest;
    return {
      onRefusal: (error) => this.#refusalsOf(error, entry).note(error),
      onUncaught: (error) => this.reportUncaught(id, error),
    };
  }

  #missing({ manifest }: Definition): readonly ContractId[] {
    return requiredServices(manifest).filter((id) => this.#registry.service(id).current === undefined);
  }

  /** @throws why it did not start. One that has to wait is no failure. */
  async #startWanted(entry: Entry): Promise<void> {
    const others = this.#entries.filter((other) => other !== entry && other.isWanted);
    checkUniqueServices([...others, entry].map(({ definition }) => definition.manifest));
    entry.isWanted = true;
    this.#setPhase(entry, "waiting");
    await this.#startWhatCan();
    if (!entry.isWanted && entry.lastError !== undefined) throw entry.lastError;
  }

  /** One start can make others possible: goes over the list until nothing more can start. */
  async #startWhatCan(): Promise<void> {
    let hasStarted = true;
    while (hasStarted) {
      hasStarted = false;
      for (const entry of this.#entries) {
        if (!entry.isWanted || entry.phase !== "waiting" || this.#missing(entry.definition).length > 0) continue;
        await this.#start(entry);
        hasStarted = true;
      }
    }
  }

  async #start(entry: Entry): Promise<void> {
    this.#setPhase(entry, "starting");
    try {
      entry.activation = await this.#activate(entry, entry.definition);
    } catch (error) {
      this.#fail(entry, activateError(entry.definition.manifest.id, error));
      return;
    }
    entry.lastError = undefined;
    this.#setPhase(entry, "active");
    entry.activation.publish();
  }

  #fail(entry: Entry, error: KernelError): void {
    entry.isWanted = false;
    entry.lastError = error;
    this.#setPhase(entry, "failed");
  }

  /** A generation that has started and is not shown yet. @throws {KernelError} when it did not start; nothing of it is left. */
  async #activate(entry: Entry, definition: Definition, replaces?: Replaced): Promise<Activation> {
    const { manifest, activate, granted } = definition;
    const { drivers } = this.#options;
    entry.lastGeneration += 1;
    const activation = new Activation({
      manifest,
      generation: entry.lastGeneration,
      granted,
      drivers,
      registry: this.#registry,
      releaseTimeoutMs: this.#timeouts.releaseTimeoutMs,
      ...this.#listenersFor(entry),
      ...replaces,
    });
    const run = async (): Promise<void> => {
      try {
        await activate(activation.host);
      } catch (cause) {
        throw activateError(manifest.id, cause); // Also a deadline of the extension's own: only ours is ACTIVATE_TIMEOUT.
      }
    };
    try {
      await withDeadline(run, { timeoutMs: this.#timeouts.activateTimeoutMs, clock: drivers.clock });
      activation.finish();
      return activation;
    } catch (cause) {
      activation.leases.refuse();
      await this.#closeScope(entry, activation);
      activation.forgetPredecessor();
      if (!(cause instanceof DeadlineError)) throw activateError(manifest.id, cause);
      const message = `Cannot start "${manifest.id}": activate did not end within ${cause.timeoutMs} ms`;
      throw new KernelError("ACTIVATE_TIMEOUT", message, { extension: manifest.id, cause });
    }
  }

  async #swap(id: string, next?: LoadRequest): Promise<SwapReport> {
    const { clock } = this.#options.drivers;
    const { entry, from, startedAt, begun } = await this.#serially(async () => {
      this.#assertOpen();
      const found = this.#find(id);
      const fromNow = generationOf(found);
      const at = clock.now();
      return { entry: found, from: fromNow, startedAt: at, begun: await this.#beginSwap(found, next) };
    });
    const { outcome, to, error } = begun;
    const { drained, cut } = (await begun.drain) ?? { drained: 0, cut: 0 };
    const report: SwapReport = {
      outcome,
      from,
      to,
      drained,
      cut,
      tookMs: clock.now() - startedAt,
      at: startedAt,
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    };
    entry.lastSwap = report;
    return report;
  }

  async #beginSwap(entry: Entry, request?: LoadRequest): Promise<BegunSwap> {
    const previous = entry.definition;
    const next = request === undefined ? previous : this.#define(request);
    this.#checkReplacement(entry, next);
    const old = entry.activation;
    if (old === undefined) {
      entry.definition = next;
      this.#entries = inLoadOrder(this.#entries);
      await this.#startWanted(entry);
      return { outcome: "loaded", to: generationOf(entry) };
    }
    const missing = this.#missing(next);
    if (missing.length > 0) {
      const names = missing.map((service) => `"${service}"`).join(", ");
      const message = `Cannot swap "${next.manifest.id}": it requires ${names}, which nobody provides; load one that does`;
      const error = new KernelError("SERVICE_UNAVAILABLE", message, { extension: next.manifest.id });
      return {
        outcome: "kept-old",
        to: { version: next.manifest.version, generation: entry.lastGeneration },
        error,
      };
    }
    const isExclusive = [previous, next].some(({ manifest }) => manifest.swap === "exclusive");
    return isExclusive ? this.#swapExclusively(entry, old, next) : this.#swapBeside(entry, old, next);
  }

  /** @throws {KernelError} when what is to come does not fit to what is there. */
  #checkReplacement(entry: Entry, next: Definition): void {
    const { id } = entry.definition.manifest;
    if (next.manifest.id !== id) {
      const message = `Cannot swap "${id}" for "${next.manifest.id}": an extension is swapped for one of its own id; unload the one and add the other`;
      throw new KernelError("MANIFEST_INVALID", message, { extension: id });
    }
    const others = this.#entries.filter((other) => other !== entry);
    const wanted = others.filter(({ isWanted }) => isWanted).map(({ definition }) => definition.manifest);
    checkUniqueServices([...wanted, next.manifest]);
    loadOrder([...others.map(({ definition }) => definition.manifest), next.manifest]);
  }

  /** The new generation starts beside the old one, and takes over in one step. */
  async #swapBeside(entry: Entry, old: Activation, next: Definition): Promise<BegunSwap> {
    let came: Activation;
    try {
      came = await this.#activate(entry, next, { replaces: old, isBeside: true });
    } catch (error) {
      const to = { version: next.manifest.version, generation: entry.lastGeneration };
      return { outcome: "kept-old", to, error: activateError(next.manifest.id, error) };
    }
    await this.#stopDependants(entry, lost(old, next));
    const stopWaiting = new AbortController();
    const drain = async (): Promise<DrainResult> => {
      const result = await this.#drain(entry, {
        activation: old,
        timeoutMs: this.#timeouts.drainTimeoutMs,
        signal: stopWaiting.signal,
      });
      came.forgetPredecessor();
      if (entry.draining === draining) entry.draining = undefined;
      return result;
    };
    this.#takeOver(entry, came, { next, old });
    old.beginDraining();
    const done = drain();
    const draining: Draining = { activation: old, done, hurry: () => stopWaiting.abort() };
    entry.draining = draining;
    await this.#startWhatCan();
    return { outcome: "swapped", to: generationOf(entry), drain: done };
  }

  /** The old generation ends before the new one starts; calls are held in between. */
  async #swapExclusively(entry: Entry, old: Activation, next: Definition): Promise<BegunSwap> {
    const previous = entry.definition;
    await this.#stopDependants(entry, lost(old, next));
    old.leases.hold();
    this.#setPhase(entry, "draining");
    old.beginDraining();
    const stopWaiting = new AbortController();
    const draining = this.#drain(entry, {
      activation: old,
      timeoutMs: this.#timeouts.holdTimeoutMs,
      signal: stopWaiting.signal,
    });
    entry.draining = { activation: old, done: draining, hurry: () => stopWaiting.abort() };
    const drained = await draining;
    entry.draining = undefined;
    this.#setPhase(entry, "starting");
    const start = async (definition: Definition): Promise<KernelError | undefined> => {
      try {
        const came = await this.#activate(entry, definition, { replaces: old });
        this.#setPhase(entry, "active");
        this.#takeOver(entry, came, { next: definition, old });
        return undefined;
      } catch (cause) {
        return activateError(definition.manifest.id, cause);
      }
    };
    const begun = { to: { version: next.manifest.version, generation: entry.lastGeneration + 1 }, drain: drained };
    const error = await start(next);
    if (error === undefined) {
      await this.#startWhatCan();
      return { outcome: "swapped", ...begun };
    }
    const restoreError = await start(previous);
    if (restoreError === undefined) {
      await this.#startWhatCan();
      return { outcome: "restored-old", error, ...begun };
    }
    entry.activation = undefined;
    this.#fail(entry, restoreError);
    old.withdraw();
    const { id: extension } = previous.manifest;
    const message = `Cannot reach "${extension}": it was swapped, and neither version started`;
    old.leases.abandon(new KernelError("SERVICE_UNAVAILABLE", message, { extension, cause: restoreError }));
    await this.#stopDependants(entry, previous.manifest.provides ?? []);
    return { outcome: "failed", error, ...begun };
  }

  #takeOver(
    entry: Entry,
    came: Activation,
    { next, old }: { readonly next: Definition; readonly old: Activation },
  ): void {
    entry.definition = next;
    entry.activation = came;
    entry.lastError = undefined;
    this.#entries = inLoadOrder(this.#entries);
    came.publish(old);
  }

  /** Dependants end while what they need is still there; then its services go, then its scope closes. */
  async #stop(entry: Entry): Promise<void> {
    const { activation } = entry;
    await this.#stopDependants(entry, activation?.manifest.provides ?? []);
    entry.draining?.hurry();
    await entry.draining?.done;
    if (activation === undefined) return;
    this.#setPhase(entry, "draining");
    entry.activation = undefined;
    activation.withdraw();
    activation.leases.refuse();
    await this.#closeScope(entry, activation);
    await activation.leases.drain({ timeoutMs: this.#timeouts.graceMs, clock: this.#options.drivers.clock });
  }

  /** Those that cannot do without one of the services end, those that others need behind those others. */
  async #stopDependants(entry: Entry, services: readonly ContractId[]): Promise<void> {
    const isNeededBy = ({ manifest }: Activation): boolean =>
      requiredServices(manifest).some((service) => services.includes(service));
    for (const dependant of this.#entries.toReversed()) {
      if (dependant === entry) continue;
      if (dependant.activation !== undefined && isNeededBy(dependant.activation)) {
        await this.#stop(dependant);
        this.#setPhase(dependant, "waiting");
      }
      const { draining } = dependant;
      if (draining === undefined || !isNeededBy(draining.activation)) continue;
      draining.hurry();
      await draining.done;
    }
  }

  /** A generation that was replaced ends: in its time what it does, then its scope; what is left has as long as at an unload. */
  async #drain(entry: Entry, { activation, timeoutMs, signal }: DrainRequest): Promise<DrainResult> {
    const { clock } = this.#options.drivers;
    await activation.leases.drain({ timeoutMs, clock, signal });
    await this.#closeScope(entry, activation);
    return activation.leases.drain({ timeoutMs: this.#timeouts.graceMs, clock });
  }

  async #closeScope(entry: Entry, activation: Activation): Promise<void> {
    try {
      await activation.close();
    } catch (error) {
      // Each release was called; what failed is reported and left behind, so that unloading goes on.
      const { id } = activation.manifest;
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
    return healthOf(entry, { missing: this.#missing(entry.definition), all: this.#entries });
  }
}

function inLoadOrder(entries: readonly Entry[]): readonly Entry[] {
  const byManifest = new Map(entries.map((entry) => [entry.definition.manifest, entry]));
  return loadOrder(entries.map(({ definition }) => definition.manifest)).flatMap(
    (manifest) => byManifest.get(manifest) ?? [],
  );
}

/** What nobody provides any more once `next` is there. */
function lost({ manifest }: Activation, next: Definition): readonly ContractId[] {
  const { provides = [] } = next.manifest;
  return (manifest.provides ?? []).filter((service) => !provides.includes(service));
}

function generationOf({ definition, activation, lastGeneration }: Entry): SwapReport["from"] {
  return { version: definition.manifest.version, generation: activation?.generation ?? lastGeneration };
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
