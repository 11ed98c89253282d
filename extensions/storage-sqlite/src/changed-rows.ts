interface RowKey {
  readonly namespace: string;
  readonly key: string;
}

export class ChangedRows {
  readonly #rows = new Map<string, RowKey>();

  get count(): number {
    return this.#rows.size;
  }

  note({ namespace, key }: RowKey): void {
    this.#rows.set(`${namespace}\u0000${key}`, { namespace, key });
  }

  take(count: number): readonly RowKey[] {
    const taken = this.#rows.entries().take(count).toArray();
    for (const [name] of taken) this.#rows.delete(name);
    return taken.map(([, row]) => row);
  }
}
