import type { ModelEvent, PermissionAnswer, PermissionQuestion } from "@incipit/service-contract";
import { maxWaitingEvents } from "./limits.ts";

interface Asking {
  readonly question: PermissionQuestion;
  readonly answered: (answer: Promise<PermissionAnswer>) => void;
}

export type QueueItem = { readonly event: ModelEvent } | { readonly asking: Asking };

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

  take(): QueueItem | undefined {
    const item = this.#items.shift();
    if (this.#items.length < maxWaitingEvents) this.#room?.resolve();
    if (this.#items.length === 0) this.#arrived = Promise.withResolvers();
    return item;
  }

  get arrived(): Promise<void> {
    return this.#arrived.promise;
  }

  get room(): Promise<void> | undefined {
    if (this.#isClosed || this.#items.length < maxWaitingEvents) return undefined;
    this.#room ??= Promise.withResolvers();
    const { promise } = this.#room;
    return promise.then(() => (this.#room = undefined));
  }

  close(): void {
    this.#isClosed = true;
    this.#items.length = 0;
    this.#room?.resolve();
  }
}
