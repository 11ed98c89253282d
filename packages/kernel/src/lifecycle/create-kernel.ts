import { createDeferred } from "../time/deferred.ts";
import { define } from "./definition.ts";
import { Entries } from "./entries.ts";
import { Entry } from "./entry.ts";
import { errorMessage } from "../failures/error-message.ts";
import { healthOf } from "./extension-health.ts";
import { Generations } from "./generations.ts";
import type { ServiceHandle } from "../contract/handle.ts";
import {
  extensionControlHandle,
  type Drivers,
  type ExtensionHealth,
  type Kernel,
  type KernelOptions,
  type LoadRequest,
  type SwapReport,
  type SwapRequest,
} from "../contract/kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { Lifecycle } from "./lifecycle.ts";
import { SerialQueue } from "../time/serial-queue.ts";
import { ServiceRegistry } from "../services/service-registry.ts";
import { Swaps } from "./swaps.ts";

/** Creates a kernel without extensions. Operations that change them are serialized. */
export function createKernel(options: KernelOptions): Kernel {
  return new HostKernel(options);
}

class HostKernel implements Kernel {
  readonly #drivers: Drivers;
  readonly #entries = new Entries();
  readonly #operations = new SerialQueue();
  readonly #registry: ServiceRegistry;
  readonly #generations: Generations;
  readonly #lifecycle: Lifecycle;
  readonly #swaps: Swaps;
  readonly #started = createDeferred();
  #isClosed = false;

  constructor({ drivers, contracts = [], reserved = () => undefined, ...given }: KernelOptions) {
    const timeouts = {
      activateTimeoutMs: 10_000,
      coreActivateTimeoutMs: given.activateTimeoutMs ?? 60_000,
      releaseTimeoutMs: 4_000,
      drainTimeoutMs: 180_000,
      holdTimeoutMs: 5_000,
      graceMs: 1_000,
      ...given,
    };
    const log = drivers.log("kernel");
    const registry = new ServiceRegistry({
      contracts,
      onListenerError: (error) => log.error("A listener failed", { error: errorMessage(error) }),
    });
    const entries = this.#entries;
    const { promise: started } = this.#started;
    const generations = new Generations({ drivers, registry, reserved, entries, timeouts, started });
    const lifecycle = new Lifecycle({ entries, registry, generations });
    this.#drivers = drivers;
    this.#registry = registry;
    this.#generations = generations;
    this.#lifecycle = lifecycle;
    this.#swaps = new Swaps({
      entries,
      generations,
      lifecycle,
      timeouts,
      clock: drivers.clock,
      serially: (operation) => this.#whileOpen(operation),
    });
    this.provide(extensionControlHandle, {
      list: () => this.list(),
      load: (id: string) => this.load(id),
      unload: (id: string) => this.unload(id),
      swap: (id: string) => this.swap(id),
    });
  }

  list(): readonly ExtensionHealth[] {
    return Array.from(this.#entries, (entry) => this.#health(entry));
  }

  service<Service extends object>(handle: ServiceHandle<Service>): Service | undefined {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- `provideService` accepted the handle's type
    return this.#registry.service(handle.id).current?.view as Service | undefined;
  }

  provide<Service extends object>(handle: ServiceHandle<Service>, service: Service): void {
    this.#registry.provideOwn(handle.id, service);
  }

  add(requests: readonly LoadRequest[]): Promise<void> {
    return this.#whileOpen(async () => {
      const drivers = this.#drivers;
      const added = requests.map((request) => {
        const { isDisabled = false } = request;
        return new Entry(define(request, { registry: this.#registry }), { drivers, isDisabled });
      });
      this.#entries.add(added);
      await this.#lifecycle.startWhatCan();
    });
  }

  load(id: string): Promise<ExtensionHealth> {
    return this.#whileOpen(async () => {
      const entry = this.#entries.get(id);
      if (entry.phase !== "active") await this.#lifecycle.startWanted(entry);
      return this.#health(entry);
    });
  }

  unload(id: string): Promise<ExtensionHealth> {
    return this.#operations.run(async () => {
      const entry = this.#entries.get(id);
      await this.#unload(entry);
      return this.#health(entry);
    });
  }

  remove(id: string): Promise<void> {
    return this.#operations.run(async () => {
      const entry = this.#entries.get(id);
      entry.isWanted = false;
      await this.#lifecycle.stop(entry);
      this.#entries.remove(entry);
    });
  }

  swap(id: string, next?: SwapRequest): Promise<SwapReport> {
    const registry = this.#registry;
    return this.#swaps.run(id, ({ definition: previous }) =>
      next === undefined ? previous : define(next, { registry, previous }),
    );
  }

  finishStart(): void {
    this.#started.resolve();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    // An exclusive swap in progress blocks the queue, so end its wait. Generations that drain in the background end
    // with their entries.
    for (const entry of this.#entries) if (entry.phase === "draining") entry.draining?.hurry();
    return this.#operations.run(async () => {
      for (const entry of this.#entries.toReversed()) await this.#unload(entry);
      this.finishStart(); // Last: it would start background work that ends immediately.
    });
  }

  reportUncaught(id: string, error: unknown): void {
    this.#generations.reportUncaught(id, error);
  }

  noteFailure(id: string, error: KernelError): void {
    const entry = this.#entries.find(id);
    if (entry !== undefined) entry.lastError = error;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Rejects after `close`, which queued operations must not undo. */
  #whileOpen<Result>(operation: () => Promise<Result>): Promise<Result> {
    return this.#operations.run(async () => {
      if (this.#isClosed)
        throw new KernelError("SCOPE_CLOSED", "Cannot load an extension: the host was closed; start it again");
      return operation();
    });
  }

  async #unload(entry: Entry): Promise<void> {
    entry.isWanted = false;
    await this.#lifecycle.stop(entry);
    entry.moveTo("stopped");
  }

  #health(entry: Entry): ExtensionHealth {
    return healthOf(entry, { missing: this.#lifecycle.missing(entry.definition), all: this.#entries });
  }
}
