/** A turn starts its tasks in far less time than it takes to evict an idle conversation. */
const maxKept = 1_000;

interface Places {
  turnId: string;
  given: number;
  running: number;
  readonly waiting: Set<() => void>;
}

export class TaskSlots {
  readonly #max: { readonly perTurn: number; readonly atOnce: number };
  readonly #places = new Map<string, Places>();

  constructor(max: { readonly perTurn: number; readonly atOnce: number }) {
    this.#max = max;
  }

  /**
   * Disposing the result frees the slot.
   * @throws {Error} for the model when the turn's limit is reached; the signal's reason on abort.
   */
  async take(conversationId: string, turnId: string, signal: AbortSignal): Promise<Disposable> {
    const { perTurn, atOnce } = this.#max;
    const places = this.#placesOf(conversationId);
    if (places.turnId !== turnId) Object.assign(places, { turnId, given: 0 });
    if (places.given >= perTurn)
      throw new Error(
        `This turn has given ${perTurn} tasks, as many as it may (subagents.max_per_turn): go on without another one`,
      );
    places.given += 1;
    while (places.running >= atOnce) await oneEnds(places, signal);
    signal.throwIfAborted();
    places.running += 1;
    return {
      [Symbol.dispose]: () => {
        places.running -= 1;
        for (const look of places.waiting) look();
      },
    };
  }

  #placesOf(conversationId: string): Places {
    const places = this.#places.get(conversationId) ?? { turnId: "", given: 0, running: 0, waiting: new Set() };
    this.#places.delete(conversationId);
    this.#places.set(conversationId, places);
    if (this.#places.size > maxKept)
      for (const [id, { running, waiting }] of this.#places)
        if (running + waiting.size === 0 && id !== conversationId) {
          this.#places.delete(id);
          break;
        }
    return places;
  }
}

function oneEnds({ waiting }: Places, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (): void => {
    waiting.delete(end);
    signal.removeEventListener("abort", stop);
    resolve();
  };
  const stop = (): void => {
    waiting.delete(end);
    reject(signal.reason);
  };
  signal.throwIfAborted();
  waiting.add(end);
  signal.addEventListener("abort", stop, { once: true });
  return promise;
}
