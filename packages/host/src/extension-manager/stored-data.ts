import { storageDriverHandle, type Kernel } from "@incipit/kernel";
import { storageErasureHandle, storedNamespacesHandle } from "@incipit/service-contract";

/** Nobody needs to know it more exactly to decide, and a namespace can have millions. */
const maxCounted = 1_000;

/** What was stored under the id of an extension, whoever had that then. Where the storage cannot tell, there is nothing. */
export class StoredData {
  readonly #kernel: Pick<Kernel, "service">;

  constructor(kernel: Pick<Kernel, "service">) {
    this.#kernel = kernel;
  }

  /** Entries, counted up to 1,000. */
  async count(id: string): Promise<number> {
    const driver = this.#kernel.service(storageDriverHandle);
    let count = 0;
    for (const namespace of await this.#namespacesOf(id)) {
      if (namespace.includes("$")) continue; // The kernel's own notes.
      const limit = maxCounted - count;
      if (limit > 0) count += (await driver?.list(namespace, { limit }))?.length ?? 0;
    }
    return count;
  }

  /** Deletes it, so that it cannot be found in the files either. */
  async delete(id: string): Promise<void> {
    const driver = this.#kernel.service(storageDriverHandle);
    if (driver === undefined) return;
    for (const namespace of await this.#namespacesOf(id)) {
      for (;;) {
        const entries = await driver.list(namespace, { limit: maxCounted });
        if (entries.length === 0) break;
        const writes = entries.map(({ key }) => ({ kind: "delete", namespace, key }) as const);
        await driver.atomic([], writes);
      }
    }
    await this.#kernel.service(storageErasureHandle)?.eraseDeleted();
  }

  async #namespacesOf(id: string): Promise<readonly string[]> {
    return (await this.#kernel.service(storedNamespacesHandle)?.of(id)) ?? [];
  }
}
