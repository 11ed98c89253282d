import { SerialQueue } from "@incipit/kernel";

/** Maximum length of a queue; further messages are dropped, and fetched again once the queue has drained. */
const maxWaiting = 500;

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
    // Work that follows a dropped item would run out of order.
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

  async ended(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}
