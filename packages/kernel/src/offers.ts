import type { ContractId, ExtensionPoint } from "./handle.ts";
import { leasedView } from "./leased-view.ts";
import type { Leases, Place } from "./leases.ts";
import type { ServiceRegistry } from "./service-registry.ts";

export interface OffersOptions {
  readonly extension: string;
  readonly leases: Leases;
  readonly registry: ServiceRegistry;
}

interface Contributed {
  readonly point: ContractId;
  readonly view: unknown;
}

/** The services and contributions of one generation: kept from others until they are shown, and led through leases from then on. */
export class Offers {
  readonly #extension: string;
  readonly #leases: Leases;
  readonly #registry: ServiceRegistry;
  readonly #services = new Map<ContractId, object>();
  readonly #views = new Map<ContractId, object>();
  readonly #pinned = new Map<ContractId, object>();
  readonly #contributed = new Map<string, Contributed>();
  #isComplete = false;
  #isShown = false;

  constructor({ extension, leases, registry }: OffersOptions) {
    this.#extension = extension;
    this.#leases = leases;
    this.#registry = registry;
  }

  /** Whether it is too late for a service: because `complete` was called, or because it is there. */
  refusesService(id: ContractId): boolean {
    return this.#isComplete || this.#services.has(id);
  }

  /** Ends the time in which services can be added. @returns those of `declared` that were not. */
  complete(declared: readonly ContractId[]): readonly ContractId[] {
    this.#isComplete = true;
    return declared.filter((service) => !this.#services.has(service));
  }

  addService(id: ContractId, service: object): void {
    this.#services.set(id, service);
    this.#views.set(id, leasedView(service, { leases: this.#leases, place: { kind: "service", id } }));
  }

  /** Shown at once where the others are shown already. */
  addContribution<Value>(point: ExtensionPoint<Value>, value: Value): void {
    const name = point.keyOf?.(value) ?? String(this.#viewsAt(point.id).length);
    let key = name;
    for (let count = 2; this.#contributed.has(contributionKey(point.id, key)); count += 1) key = `${name}#${count}`;
    const place: Place = { kind: "contribution", point: point.id, key };
    const view = leasedView(value, { leases: this.#leases, place });
    this.#contributed.set(contributionKey(point.id, key), { point: point.id, view });
    if (this.#isShown) this.#showContributions(point.id);
  }

  /** What others see at a place; `undefined`: nothing is there. */
  viewAt(place: Place): unknown {
    return place.kind === "service"
      ? this.#views.get(place.id)
      : this.#contributed.get(contributionKey(place.point, place.key))?.view;
  }

  /** A view of a service that does not go over to the next generation. */
  pinnedView(id: ContractId): object | undefined {
    const service = this.#services.get(id);
    if (service === undefined) return undefined;
    const known = this.#pinned.get(id);
    if (known !== undefined) return known;
    const view = leasedView(service, { leases: this.#leases, place: { kind: "service", id }, isPinned: true });
    this.#pinned.set(id, view);
    return view;
  }

  /** Each in one step in place of what `replaced` showed; what that one alone had is gone before. */
  show(replaced?: Offers): void {
    this.#isShown = true;
    if (replaced !== undefined) {
      replaced.#isShown = false;
      for (const service of replaced.#views.keys())
        if (!this.#views.has(service)) this.#registry.service(service).set(undefined);
      const points = this.#points();
      for (const point of replaced.#points()) if (!points.has(point)) this.#showContributions(point);
    }
    for (const [service, view] of this.#views) this.#registry.service(service).set(view);
    for (const point of this.#points()) this.#showContributions(point);
  }

  withdraw(): void {
    this.#isShown = false;
    for (const id of this.#views.keys()) this.#registry.service(id).set(undefined);
    for (const id of this.#points()) this.#registry.setContributions(this.#extension, id, []);
  }

  #points(): ReadonlySet<ContractId> {
    return new Set(this.#contributed.values().map(({ point }) => point));
  }

  #viewsAt(point: ContractId): readonly unknown[] {
    return [...this.#contributed.values()].filter((entry) => entry.point === point).map(({ view }) => view);
  }

  /** As they are at this moment: a listener that is told of one list may lead to a further contribution. */
  #showContributions(point: ContractId): void {
    this.#registry.setContributions(this.#extension, point, this.#viewsAt(point));
  }
}

function contributionKey(point: ContractId, key: string): string {
  return `${point} ${key}`;
}
