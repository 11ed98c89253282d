import { storageDriverHandle, type Kernel } from "@incipit/kernel";
import { storageErasureHandle, storedNamespacesHandle } from "@incipit/service-contract";

/** A namespace can have millions of entries, and decisions need no exact count. */
const maxCounted = 1_000;

/** Data of any extension that ever had the id. Empty if the storage cannot tell. */
export class StoredData {
  readonly #kernel: Pick<Kernel, "service">;

  constructor(kernel: Pick<Kernel, "service">) {
    this.#kernel = kernel;
  }

  async count(id: string): Promise<number> {
    const driver = this.#kernel.service(storageDriverHandle);
    let count = 0;
    for (const namespace of await this.#namespacesOf(id)) {
      if (namespace.includes("$")) continue;
      const limit = maxCounted - count;
      if (limit > 0) count += (await driver?.list(namespace, { limit }))?.length ?? 0;
    }
    return count;
  }

  /** The deleted entries cannot be recovered from the files. */
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
