import { SerialQueue } from "@incipit/kernel";

/** So much may wait for one channel; what comes beyond is asked for again once there is room. */
const maxWaiting = 500;

/** Does what is about one channel in its order, and what is about others beside it. */
export class ChannelQueues {
  readonly #queues = new Map<string, SerialQueue>();
  readonly #dropped = new Set<string>();
  readonly #open = new Set<Promise<void>>();
  readonly #onDropped: (channelId: string) => void;

  constructor({ onDropped }: { readonly onDropped: (channelId: string) => void }) {
    this.#onDropped = onDropped;
  }

  /** @param work Must not reject. */
  add(channelId: string, work: () => Promise<void>): void {
    const queue = this.#queues.get(channelId) ?? new SerialQueue();
    this.#queues.set(channelId, queue);
    // What comes behind what was dropped would come out of its turn.
    if (this.#dropped.has(channelId) || queue.size >= maxWaiting) {
      this.#dropped.add(channelId);
      return;
    }
    const done = queue.run(work);
    this.#open.add(done);
    void done.finally(() => {
      this.#open.delete(done);
      if (queue.size > 0) return;
      this.#queues.delete(channelId);
      if (this.#dropped.delete(channelId)) this.#onDropped(channelId);
    });
  }

  /** Resolves once nothing is worked on any more. Never rejects. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}
