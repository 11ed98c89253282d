import { codeOf } from "@incipit/service-contract";
import { errorMessage, waitUnlessAborted } from "@incipit/kernel";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";
import { storedNothingSchema } from "./stored.ts";

const retryMs = 1_000;
const longestRetryMs = 60_000;

export interface ChatWork {
  readonly what: string;
  readonly next: (chatId: string) => Promise<boolean>;
}

/** Processes the messages of each chat in order, and chats concurrently. */
export class ChatWorkers {
  readonly #context: ChannelContext;
  readonly #work: ChatWork;
  readonly #busy = new Map<string, boolean>();
  readonly #running = new Set<Promise<void>>();

  constructor(context: ChannelContext, work: ChatWork) {
    this.#context = context;
    this.#work = work;
  }

  wake(chatId: string): void {
    const isBusy = this.#busy.has(chatId);
    this.#busy.set(chatId, true);
    if (isBusy || this.#context.signal.aborted) return;
    const running = this.#run(chatId).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Call after the signal has aborted. Never rejects. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async resume(prefix: string): Promise<void> {
    for await (const { key } of this.#context.storage.entries(prefix, storedNothingSchema))
      this.wake(keys.chatOf(key));
  }

  /** Never rejects. */
  async #run(chatId: string): Promise<void> {
    const { signal, log, clock, channel } = this.#context;
    let failures = 0;
    while (!signal.aborted) {
      this.#busy.set(chatId, false);
      try {
        const hasMore = await this.#work.next(chatId);
        failures = 0;
        if (hasMore || this.#busy.get(chatId) === true) continue;
        this.#busy.delete(chatId);
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn(this.#work.what, { channel: channel.id, error: errorMessage(error) });
        const isDamaged = codeOf(error) === "STORED_VALUE_INVALID";
        const waitMs = isDamaged ? longestRetryMs : Math.min(retryMs * 2 ** failures, longestRetryMs);
        failures = Math.min(failures + 1, 10);
        await waitUnlessAborted(waitMs, clock, signal);
      }
    }
  }
}
