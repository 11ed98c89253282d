export interface BusyConversationsOptions {
  /** A swap waits for this work. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly onRest: (id: string) => void;
}

/** A draining generation keeps them until they are idle. */
export class BusyConversations {
  readonly #options: BusyConversationsOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: BusyConversationsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#counts.has(id);
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#counts.keys());
  }

  /** Delays a swap until the work is done. */
  hold<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    const held = work().finally(() => {
      const left = (this.#counts.get(id) ?? 0) - 1;
      if (left > 0) this.#counts.set(id, left);
      else {
        this.#counts.delete(id);
        this.#options.onRest(id);
      }
    });
    this.#options.waitUntil(held);
    return held;
  }
}
