import { createHost, type HostFacts } from "./create-host.ts";
import { ExtensionClock } from "../time/extension-clock.ts";
import type { Manifest } from "../contract/extension.ts";
import type { Host } from "../contract/host.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { Leases, type Place, type Successor } from "../services/leases.ts";
import { LiveValue } from "../services/live-value.ts";
import { Offers } from "../services/offers.ts";
import { Scope } from "../time/scope.ts";

export interface ActivationOptions extends HostFacts {
  readonly generation: number;
  readonly releaseTimeoutMs: number;
  readonly onUncaught: (error: unknown) => void;
  readonly replaces?: Activation;
  /** The replaced generation keeps running during the start. */
  readonly isBeside?: boolean;
}

export class Activation {
  readonly manifest: Manifest;
  readonly generation: number;
  readonly leases: Leases;
  readonly host: Host;
  readonly #scope: Scope;
  readonly #offers: Offers;
  readonly #succession: Succession;
  readonly #draining = new AbortController();
  readonly #predecessor: LiveValue<Offers | undefined>;

  constructor(options: ActivationOptions) {
    const { generation, releaseTimeoutMs, onUncaught, replaces, isBeside = false, ...facts } = options;
    const { manifest, trust, registry, drivers } = facts;
    const { clock } = drivers;
    this.manifest = manifest;
    this.generation = generation;
    this.leases = new Leases(manifest.id);
    this.#scope = new Scope({ owner: manifest.id, releaseTimeoutMs, clock });
    this.#offers = new Offers({ extension: manifest.id, trust, leases: this.leases, registry });
    this.#succession = replaces === undefined ? new Succession() : replaces.#succession;
    this.#predecessor = new LiveValue(
      isBeside && replaces !== undefined ? replaces.#offers : undefined,
      onUncaught,
    );
    const extensionClock = new ExtensionClock(clock, onUncaught);
    this.#scope.defer("timers", () => extensionClock.end()); // Released last: releases may need timers.
    this.host = createHost({
      ...facts,
      scope: this.#scope,
      leases: this.leases,
      offers: this.#offers,
      predecessor: this.#predecessor,
      draining: this.#draining.signal,
      clock: extensionClock,
    });
  }

  /** @throws {KernelError} `SERVICE_NOT_PROVIDED`. */
  finish(): void {
    const { id, provides = [] } = this.manifest;
    const missing = this.#offers.complete(provides);
    if (missing.length === 0) return;
    const names = missing.map((service) => `"${service}"`).join(", ");
    const message = `Cannot load "${id}": it declares ${names} and did not provide it; call host.provideService in activate`;
    throw new KernelError("SERVICE_NOT_PROVIDED", message, { extension: id });
  }

  /** Replaces the offers of `replaced`, and takes over its calls. */
  publish(replaced?: Activation): void {
    this.#succession.newest = this.#offers;
    replaced?.leases.move(this.#succession.successor);
    this.#offers.show(replaced === undefined ? undefined : replaced.#offers);
  }

  withdraw(): void {
    this.#succession.newest = undefined;
    this.#offers.withdraw();
  }

  beginDraining(): void {
    this.#draining.abort();
  }

  /** Call when the replaced generation has ended. */
  forgetPredecessor(): void {
    this.#predecessor.set(undefined);
  }

  /**
   * The host then calls no code of this activation.
   *
   * @throws {AggregateError} as `Scope.close`.
   */
  close(): Promise<void> {
    return this.#scope.close();
  }
}

interface Generation {
  viewAt(place: Place): unknown;
}

/**
 * Any old view of an extension leads directly to the newest generation, so that generations in between can be
 * collected.
 */
class Succession {
  newest: Generation | undefined;

  readonly successor: Successor = (place) => this.newest?.viewAt(place);
}
