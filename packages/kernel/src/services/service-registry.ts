import type { Caller } from "../contract/caller.ts";
import type { Contract, ContractId } from "../contract/handle.ts";
import type { Contribution } from "../contract/host.ts";
import type { Trust } from "../contract/kernel.ts";
import { LiveValue } from "./live-value.ts";

/** A service as others see it. */
export interface OfferedService {
  /** As the composition root sees it. */
  readonly view: object;
  viewFor(caller: Caller): object;
}

export interface ServiceRegistryOptions {
  readonly onListenerError: (error: unknown) => void;
  /** As `KernelOptions.contracts`. */
  readonly contracts?: readonly Contract[];
}

export interface Contributor {
  readonly extension: string;
  readonly trust: Trust;
}

/** Services and contributions of everything that is active, and who is told when they change. */
export class ServiceRegistry {
  readonly #services = new Map<ContractId, LiveValue<OfferedService | undefined>>();
  readonly #points = new Map<ContractId, LiveValue<readonly Contribution<unknown>[]>>();
  readonly #own = new Set<ContractId>();
  readonly #contracts: ReadonlyMap<ContractId, Contract>;
  readonly #onListenerError: (error: unknown) => void;

  constructor({ onListenerError, contracts = [] }: ServiceRegistryOptions) {
    this.#onListenerError = onListenerError;
    this.#contracts = new Map(contracts.map((contract) => [contract.id, contract]));
  }

  /** What holds for a service or a point, whatever an extension brings along as its handle. */
  contract(brought: Contract): Contract {
    return this.#contracts.get(brought.id) ?? brought;
  }

  /** The slot of a service: one for all references, so that repointing it moves them all. */
  service(id: ContractId): LiveValue<OfferedService | undefined> {
    let slot = this.#services.get(id);
    if (slot === undefined) {
      slot = new LiveValue<OfferedService | undefined>(undefined, this.#onListenerError);
      this.#services.set(id, slot);
    }
    return slot;
  }

  /** Provides a service of the host itself, which no extension may provide. */
  provideOwn(id: ContractId, service: object): void {
    this.service(id).set({ view: service, viewFor: () => service });
    this.#own.add(id);
  }

  /** Whether the host itself provides it. */
  isOwn(id: ContractId): boolean {
    return this.#own.has(id);
  }

  /** The list of a point: one for all who read it. */
  point(id: ContractId): LiveValue<readonly Contribution<unknown>[]> {
    let list = this.#points.get(id);
    if (list === undefined) {
      list = new LiveValue<readonly Contribution<unknown>[]>([], this.#onListenerError);
      this.#points.set(id, list);
    }
    return list;
  }

  /** Puts what an extension contributes in place of what it had contributed, in one step. */
  setContributions(id: ContractId, { extension, trust }: Contributor, values: readonly unknown[]): void {
    const list = this.point(id);
    const others = list.current.filter((contribution) => contribution.extension !== extension);
    const own = values.map((value) => ({ extension, trust, value }));
    // Sorting is stable: values of one extension keep the order of its calls.
    list.set([...others, ...own].toSorted((a, b) => compareIds(a.extension, b.extension)));
  }
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
