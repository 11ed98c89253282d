import type { Definition } from "./definition.ts";
import type { Entry } from "./entry.ts";
import type { Manifest } from "../contract/extension.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { checkUniqueIds, checkUniqueServices, loadOrder } from "./load-order.ts";

/** Each extension comes after its requirements. Iteration uses a snapshot. */
export class Entries implements Iterable<Entry> {
  #inLoadOrder: readonly Entry[] = [];

  [Symbol.iterator](): Iterator<Entry> {
    return this.#inLoadOrder.values();
  }

  toReversed(): readonly Entry[] {
    return this.#inLoadOrder.toReversed();
  }

  find(id: string): Entry | undefined {
    return this.#inLoadOrder.find((entry) => entry.id === id);
  }

  /** @throws {KernelError} `EXTENSION_UNKNOWN`. */
  get(id: string): Entry {
    const entry = this.find(id);
    if (entry !== undefined) return entry;
    const known = this.#inLoadOrder.map((other) => `"${other.id}"`).join(", ");
    const message = `Unknown extension "${id}"; known extensions: ${known}`;
    throw new KernelError("EXTENSION_UNKNOWN", message, { extension: id });
  }

  /** Adds all or none. @throws {KernelError} `DUPLICATE_EXTENSION`, `DUPLICATE_SERVICE`, `DEPENDENCY_CYCLE`. */
  add(added: readonly Entry[]): void {
    const all = [...this.#inLoadOrder, ...added];
    checkUniqueIds(all.map(manifestOf));
    checkUniqueServices(all.filter(({ isWanted }) => isWanted).map(manifestOf));
    this.#inLoadOrder = inLoadOrder(all);
  }

  remove(entry: Entry): void {
    this.#inLoadOrder = this.#others(entry);
  }

  /** The entry must have passed `checkReplacement`. */
  redefine(entry: Entry, definition: Definition): void {
    entry.definition = definition;
    this.#inLoadOrder = inLoadOrder(this.#inLoadOrder);
  }

  checkServices(entry: Entry, { manifest }: Definition): void {
    const wanted = this.#others(entry).filter(({ isWanted }) => isWanted);
    checkUniqueServices([...wanted.map(manifestOf), manifest]);
  }

  /** @throws {KernelError} on a conflict with the registered extensions. */
  checkReplacement(entry: Entry, next: Definition): void {
    const { id } = entry;
    if (next.manifest.id !== id) {
      const message = `Cannot swap "${id}" for "${next.manifest.id}": a swap keeps the id; unload the one and add the other`;
      throw new KernelError("MANIFEST_INVALID", message, { extension: id });
    }
    this.checkServices(entry, next);
    loadOrder([...this.#others(entry).map(manifestOf), next.manifest]);
  }

  #others(entry: Entry): readonly Entry[] {
    return this.#inLoadOrder.filter((other) => other !== entry);
  }
}

function manifestOf({ definition }: Entry): Manifest {
  return definition.manifest;
}

function inLoadOrder(entries: readonly Entry[]): readonly Entry[] {
  const byManifest = new Map(entries.map((entry) => [manifestOf(entry), entry]));
  return loadOrder(entries.map(manifestOf)).flatMap((manifest) => byManifest.get(manifest) ?? []);
}
