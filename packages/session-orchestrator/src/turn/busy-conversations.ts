export interface BusyConversationsOptions {
  /** Work that a swap has to wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Called each time when nothing runs or waits in a conversation any more. */
  readonly onRest: (id: string) => void;
}

/** The conversations in which something runs or waits to run: a generation keeps those for itself until they rest. */
export class BusyConversations {
  readonly #options: BusyConversationsOptions;
  /** How much runs or waits in each. */
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

  /** Holds a conversation until the work is done, and a swap with it. */
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
