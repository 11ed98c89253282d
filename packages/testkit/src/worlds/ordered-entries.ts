import type { StorageRange, StoredEntry } from "@incipit/kernel";

const maxEntries = 1_000;

/** In byte order: reading a range costs its own size, not the total. */
export class OrderedEntries {
  readonly #entries = new Map<string, StoredEntry>();
  readonly #keys: string[] = [];

  get(key: string): StoredEntry | undefined {
    return this.#entries.get(key);
  }

  set(entry: StoredEntry): void {
    const { key } = entry;
    if (!this.#entries.has(key)) this.#keys.splice(this.#place(key), 0, key);
    this.#entries.set(key, entry);
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#keys.splice(this.#place(key), 1);
  }

  list({ prefix, start, end, limit = 100, reverse = false }: StorageRange): readonly StoredEntry[] {
    const from = Math.max(this.#place(start ?? ""), this.#place(prefix ?? ""));
    const to = Math.min(end === undefined ? this.#keys.length : this.#place(end), this.#endOf(prefix ?? "", from));
    const count = Math.min(limit, maxEntries);
    const keys = reverse
      ? this.#keys.slice(Math.max(from, to - count), Math.max(from, to)).toReversed()
      : this.#keys.slice(from, Math.min(to, from + count));
    return keys.flatMap((key) => this.#entries.get(key) ?? []);
  }

  #place(key: string): number {
    return this.#first(0, (other) => compareBytes(other, key) >= 0);
  }

  /** @param from Index of the first key. */
  #endOf(prefix: string, from: number): number {
    return this.#first(from, (key) => !key.startsWith(prefix));
  }

  #first(from: number, isSo: (key: string) => boolean): number {
    let low = from;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isSo(this.#keys[middle] ?? "")) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const surrogate = /[\uD800-\uDFFF]/;

/** UTF-8 order equals string order without surrogates. */
function compareBytes(a: string, b: string): number {
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a === b ? 0 : a < b ? -1 : 1;
}
