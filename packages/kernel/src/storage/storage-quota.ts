import { KernelError } from "../failures/kernel-error.ts";
import { asRefusalOf } from "../failures/extension-refused.ts";
import { SerialQueue } from "../time/serial-queue.ts";
import { namespaceIndex } from "../contract/storage-namespace.ts";
import type { NamespacedWrite, StorageDriver } from "../contract/storage.ts";

export interface PlanOptions {
  readonly maxBytes: number;
  /** Each new activation recounts. */
  readonly activation: object;
}

export interface StoragePlan {
  /** Records namespaces on the extension's first write to each. */
  readonly listing: readonly NamespacedWrite[];
  /** Counts the writes. Call only after they were committed. */
  apply(): void;
}

/**
 * Counts on the first limited write of each activation: the storage contents are authoritative. Records written
 * namespaces in storage, so that abandoned ones still count.
 */
export class StorageQuota {
  readonly extension: string;
  /** May hold data from before the limit. */
  readonly #opened = new Set<string>();
  #activations = new WeakSet<object>();
  #listed = new Set<string>();
  #counted = new Map<string, number>();
  readonly #commits = new SerialQueue();

  constructor(extension: string) {
    this.extension = extension;
  }

  /** The contents count from the next limited write. */
  open(namespace: string): void {
    this.#opened.add(namespace);
  }

  /** Runs commits one at a time, so that no two use the same free bytes. */
  exclusively<Result>(commit: () => Promise<Result>): Promise<Result> {
    return this.#commits.run(commit);
  }

  /** Counts again after a failed commit, whose effect is unknown. */
  recount(): void {
    this.#activations = new WeakSet();
  }

  /** @throws {KernelError} `CAPABILITY_DENIED` when the total would exceed the limit and grow. */
  async plan(
    driver: StorageDriver,
    writes: readonly NamespacedWrite[],
    { maxBytes, activation }: PlanOptions,
  ): Promise<StoragePlan> {
    await this.#count(driver, activation);
    const counted = await this.#countWith(driver, writes);
    const held = sum(this.#counted);
    const wanted = sum(counted);
    if (wanted > maxBytes && wanted > held) {
      // Contains no value of this write, so that repeated refusals have equal messages.
      const names = [...new Set(writes.map(({ namespace }) => `"${namespace.slice(this.extension.length + 1)}"`))];
      const message = `Cannot store in ${names.join(", ")} for "${this.extension}": it would hold more than the ${maxBytes} bytes that are granted; delete something, or grant more`;
      const { extension } = this;
      throw asRefusalOf(extension, new KernelError("CAPABILITY_DENIED", message, { extension }));
    }
    const unlisted = [...new Set(writes.map(({ namespace }) => namespace))].filter(
      (name) => !this.#listed.has(name),
    );
    const index = namespaceIndex(this.extension);
    return {
      listing: unlisted.map((key) => ({ kind: "set", namespace: index, key, value: true })),
      apply: () => {
        this.#counted = counted;
        for (const name of unlisted) this.#listed.add(name);
      },
    };
  }

  async #count(driver: StorageDriver, activation: object): Promise<void> {
    if (!this.#activations.has(activation)) {
      const listed = new Set<string>();
      await forEachEntry(driver, namespaceIndex(this.extension), ({ key }) => listed.add(key));
      this.#listed = listed;
      this.#counted = new Map();
      this.#activations.add(activation);
    }
    for (const namespace of [...this.#listed, ...this.#opened]) {
      if (this.#counted.has(namespace)) continue;
      let bytes = 0;
      await forEachEntry(driver, namespace, (entry) => (bytes += sizeOf(entry)));
      this.#counted.set(namespace, bytes);
    }
  }

  async #countWith(driver: StorageDriver, writes: readonly NamespacedWrite[]): Promise<Map<string, number>> {
    const counted = new Map(this.#counted);
    const sizes = new Map<string, number>();
    for (const write of writes) {
      const { namespace, key } = write;
      const id = `${namespace} ${key}`; // Namespaces contain no spaces.
      const stored = sizes.has(id) ? undefined : await driver.get(namespace, key);
      const before = sizes.get(id) ?? (stored === undefined ? 0 : sizeOf(stored));
      const after = write.kind === "delete" ? 0 : sizeOf(write);
      sizes.set(id, after);
      counted.set(namespace, (counted.get(namespace) ?? 0) + after - before);
    }
    return counted;
  }
}

const quotasByHost = new WeakMap<object, Map<string, StorageQuota>>();

export function storageQuota(host: object, extension: string): StorageQuota {
  let quotas = quotasByHost.get(host);
  if (quotas === undefined) quotasByHost.set(host, (quotas = new Map()));
  let quota = quotas.get(extension);
  if (quota === undefined) quotas.set(extension, (quota = new StorageQuota(extension)));
  return quota;
}

const pageSize = 1_000;

async function forEachEntry(
  driver: StorageDriver,
  namespace: string,
  visit: (entry: { readonly key: string; readonly value: unknown }) => void,
): Promise<void> {
  let start: string | undefined;
  for (;;) {
    const page = await driver.list(namespace, { limit: pageSize, ...(start === undefined ? {} : { start }) });
    for (const entry of page) visit(entry);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    start = `${last.key}\u0001`; // The first key after `last`: drivers reject NUL.
  }
}

const encoder = new TextEncoder();

function sizeOf({ key, value }: { readonly key: string; readonly value: unknown }): number {
  return encoder.encode(key).length + encoder.encode(JSON.stringify(value)).length;
}

function sum(counted: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const bytes of counted.values()) total += bytes;
  return total;
}
