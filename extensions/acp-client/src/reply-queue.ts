import type { ModelEvent, PermissionAnswer, PermissionQuestion } from "@incipit/service-contract";
import { maxWaitingEvents } from "./limits.ts";

/** A question that is asked once all before it was shown. */
interface Asking {
  readonly question: PermissionQuestion;
  readonly answered: (answer: Promise<PermissionAnswer>) => void;
}

export type QueueItem = { readonly event: ModelEvent } | { readonly asking: Asking };

/** What an agent has said, and nobody has taken yet. Whoever fills it waits for room. */
export class ReplyQueue {
  readonly #items: QueueItem[] = [];
  #arrived = Promise.withResolvers<void>();
  #room: PromiseWithResolvers<void> | undefined;
  #isClosed = false;

  push(items: readonly QueueItem[]): void {
    if (this.#isClosed || items.length === 0) return;
    this.#items.push(...items);
    this.#arrived.resolve();
  }

  pushEvents(events: readonly ModelEvent[]): void {
    this.push(events.map((event) => ({ event })));
  }

  /** `undefined`: there is nothing now. */
  take(): QueueItem | undefined {
    const item = this.#items.shift();
    if (this.#items.length < maxWaitingEvents) this.#room?.resolve();
    if (this.#items.length === 0) this.#arrived = Promise.withResolvers();
    return item;
  }

  /** Resolves once there is something. */
  get arrived(): Promise<void> {
    return this.#arrived.promise;
  }

  /** What is to be waited for before more is read. */
  get room(): Promise<void> | undefined {
    if (this.#isClosed || this.#items.length < maxWaitingEvents) return undefined;
    this.#room ??= Promise.withResolvers();
    const { promise } = this.#room;
    return promise.then(() => (this.#room = undefined));
  }

  /** Nobody takes anything any more: what comes is dropped. */
  close(): void {
    this.#isClosed = true;
    this.#items.length = 0;
    this.#room?.resolve();
  }
}
