import type { Activation } from "./activation.ts";
import type { Definition } from "./definition.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import type { Generations } from "./generations.ts";
import type { ContractId } from "../contract/handle.ts";
import { requiredServices } from "./load-order.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";

export interface LifecycleOptions {
  readonly entries: Entries;
  readonly registry: ServiceRegistry;
  readonly generations: Generations;
}

/** Starts extensions when their required services are available, and stops them before those disappear. */
export class Lifecycle {
  readonly #entries: Entries;
  readonly #registry: ServiceRegistry;
  readonly #generations: Generations;

  constructor({ entries, registry, generations }: LifecycleOptions) {
    this.#entries = entries;
    this.#registry = registry;
    this.#generations = generations;
  }

  missing({ manifest }: Definition): readonly ContractId[] {
    return requiredServices(manifest).filter((id) => this.#registry.service(id).current === undefined);
  }

  /** @throws {KernelError} the start failure. Waiting for a service is not a failure. */
  async startWanted(entry: Entry): Promise<void> {
    this.#entries.checkServices(entry, entry.definition);
    entry.isWanted = true;
    entry.moveTo("waiting");
    await this.startWhatCan();
    if (!entry.isWanted && entry.lastError !== undefined) throw entry.lastError;
  }

  /** Starts all extensions that can start, repeatedly, since one start may enable others. */
  async startWhatCan(): Promise<void> {
    let hasStarted = true;
    while (hasStarted) {
      hasStarted = false;
      for (const entry of this.#entries) {
        if (!entry.isWanted || entry.phase !== "waiting" || this.missing(entry.definition).length > 0) continue;
        await this.#start(entry);
        hasStarted = true;
      }
    }
  }

  /** Dependants first, then withdraws the services, then closes the scope. The caller sets the final phase. */
  async stop(entry: Entry): Promise<void> {
    const { activation } = entry;
    await this.stopDependants(entry, activation?.manifest.provides ?? []);
    entry.draining?.hurry();
    await entry.draining?.done;
    if (activation === undefined) return;
    entry.moveTo("draining");
    entry.activation = undefined;
    await this.#generations.end(entry, activation);
  }

  async stopDependants(entry: Entry, services: readonly ContractId[]): Promise<void> {
    const isNeededBy = ({ manifest }: Activation): boolean =>
      requiredServices(manifest).some((service) => services.includes(service));
    for (const dependant of this.#entries.toReversed()) {
      if (dependant === entry) continue;
      if (dependant.activation !== undefined && isNeededBy(dependant.activation)) {
        await this.stop(dependant);
        dependant.moveTo("waiting");
      }
      const { draining } = dependant;
      if (draining === undefined || !isNeededBy(draining.activation)) continue;
      draining.hurry();
      await draining.done;
    }
  }

  async #start(entry: Entry): Promise<void> {
    entry.moveTo("starting");
    const result = await this.#generations.start(entry, entry.definition);
    if (result.kind === "failed") {
      entry.fail(result.error);
      return;
    }
    entry.activation = result.activation;
    entry.moveTo("active");
    entry.activation.publish();
  }
}
