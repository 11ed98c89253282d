import type { Caller } from "../contract/caller.ts";
import type { Contract, ContractId } from "../contract/handle.ts";
import { leasedView } from "./leased-view.ts";
import type { Leases, Place } from "./leases.ts";
import type { Contributor, OfferedService, ServiceRegistry } from "./service-registry.ts";

export interface OffersOptions extends Contributor {
  readonly leases: Leases;
  readonly registry: ServiceRegistry;
}

interface Provided {
  readonly service: object;
  readonly members: Contract["members"];
}

interface Contributed {
  readonly point: ContractId;
  readonly view: unknown;
}

/** Hidden until `show`, then visible through leased views. */
export class Offers {
  readonly #contributor: Contributor;
  readonly #leases: Leases;
  readonly #registry: ServiceRegistry;
  readonly #services = new Map<ContractId, Provided>();
  readonly #offered = new Map<ContractId, OfferedService>();
  readonly #pinned = new Map<ContractId, object>();
  readonly #contributed = new Map<string, Contributed>();
  #isComplete = false;
  #isShown = false;

  constructor({ extension, trust, leases, registry }: OffersOptions) {
    this.#contributor = { extension, trust };
    this.#leases = leases;
    this.#registry = registry;
  }

  refusesService(id: ContractId): boolean {
    return this.#isComplete || this.#services.has(id);
  }

  complete(declared: readonly ContractId[]): readonly ContractId[] {
    this.#isComplete = true;
    return declared.filter((service) => !this.#services.has(service));
  }

  addService({ id, members }: Contract, service: object, forCaller?: (caller: Caller) => object): void {
    const leases = this.#leases;
    this.#services.set(id, { service, members });
    const view = leasedView(service, { leases, place: { kind: "service", id }, members });
    const views = new WeakMap<Caller, object>();
    const viewFor = (caller: Caller): object => {
      if (forCaller === undefined) return view;
      const known = views.get(caller);
      if (known !== undefined) return known;
      const place: Place = { kind: "service", id, caller };
      const own = leasedView(service, { leases, place, members, instead: forCaller(caller) });
      views.set(caller, own);
      return own;
    };
    this.#offered.set(id, { view, viewFor });
  }

  /** Visible immediately after `show`. `named` identifies the value for the next generation. */
  addContribution(
    point: ContractId,
    value: unknown,
    named?: { readonly key: string; readonly name: string },
  ): void {
    const fixed = named === undefined ? {} : { [named.key]: named.name };
    const name = named?.name ?? String(this.#viewsAt(point).length);
    let key = name;
    for (let count = 2; this.#contributed.has(contributionKey(point, key)); count += 1) key = `${name}#${count}`;
    const place: Place = { kind: "contribution", point, key };
    const view = leasedView(value, { leases: this.#leases, place, fixed });
    this.#contributed.set(contributionKey(point, key), { point, view });
    if (this.#isShown) this.#showContributions(point);
  }

  viewAt(place: Place): unknown {
    if (place.kind === "service") {
      const offered = this.#offered.get(place.id);
      return place.caller === undefined ? offered?.view : offered?.viewFor(place.caller);
    }
    return this.#contributed.get(contributionKey(place.point, place.key))?.view;
  }

  pinnedView(id: ContractId): object | undefined {
    const provided = this.#services.get(id);
    if (provided === undefined) return undefined;
    const known = this.#pinned.get(id);
    if (known !== undefined) return known;
    const { service, members } = provided;
    const place: Place = { kind: "service", id };
    const view = leasedView(service, { leases: this.#leases, place, members, isPinned: true });
    this.#pinned.set(id, view);
    return view;
  }

  /** Replaces the views of `replaced` one by one, each atomically; views without a replacement are removed first. */
  show(replaced?: Offers): void {
    this.#isShown = true;
    if (replaced !== undefined) {
      replaced.#isShown = false;
      for (const service of replaced.#offered.keys())
        if (!this.#offered.has(service)) this.#registry.service(service).set(undefined);
      const points = this.#points();
      for (const point of replaced.#points()) if (!points.has(point)) this.#showContributions(point);
    }
    for (const [service, offered] of this.#offered) this.#registry.service(service).set(offered);
    for (const point of this.#points()) this.#showContributions(point);
  }

  withdraw(): void {
    this.#isShown = false;
    for (const id of this.#offered.keys()) this.#registry.service(id).set(undefined);
    for (const id of this.#points()) this.#registry.setContributions(id, this.#contributor, []);
  }

  #points(): ReadonlySet<ContractId> {
    return new Set(Array.from(this.#contributed.values(), ({ point }) => point));
  }

  #viewsAt(point: ContractId): readonly unknown[] {
    return [...this.#contributed.values()].filter((entry) => entry.point === point).map(({ view }) => view);
  }

  /** Reads the current list: a listener may have added a contribution. */
  #showContributions(point: ContractId): void {
    this.#registry.setContributions(point, this.#contributor, this.#viewsAt(point));
  }
}

function contributionKey(point: ContractId, key: string): string {
  return `${point} ${key}`;
}
