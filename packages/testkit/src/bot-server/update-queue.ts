import type { BotChat, BotMessage, BotUser } from "./bot-world.ts";
import { badRequest, BotRefusal } from "./bot-refusal.ts";

export type BotEvent =
  | { readonly message: BotMessage }
  | { readonly edited_message: BotMessage }
  | {
      readonly stopped_message_generation: {
        readonly chat: BotChat;
        readonly draft_id: number;
        readonly message_thread_id?: number;
      };
    }
  | {
      readonly callback_query: {
        readonly id: string;
        readonly from: BotUser;
        readonly message: BotMessage;
        readonly chat_instance: string;
        readonly data: string;
      };
    };

export type BotUpdate = { readonly update_id: number } & BotEvent;

interface OpenPoll {
  readonly wake: () => void;
  readonly fail: (error: BotRefusal) => void;
}

export interface PollOptions {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutS: number;
  readonly signal: AbortSignal;
}

const takenOver =
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";

/** https://core.telegram.org/bots/api#getupdates */
export class UpdateQueue {
  #pending: BotUpdate[] = [];
  readonly #all: BotUpdate[] = [];
  #again: readonly BotUpdate[] = [];
  #lastId = 810_000_000;
  #open: OpenPoll | undefined;
  onChange: () => void = () => {};

  get pending(): readonly BotUpdate[] {
    return this.#pending;
  }

  get isPolled(): boolean {
    return this.#open !== undefined;
  }

  add(event: BotEvent): BotUpdate {
    const update = { update_id: (this.#lastId += 1), ...event };
    this.#all.push(update);
    this.#pending.push(update);
    this.#open?.wake();
    this.onChange();
    return update;
  }

  /** Delivers all updates again, like a service that has lost the confirmation. */
  repeatAll(): void {
    this.#again = this.#all.filter((update) => !this.#pending.includes(update));
    this.#open?.wake();
  }

  confirm(before: number): void {
    this.#pending = this.#pending.filter(({ update_id: id }) => id >= before);
  }

  drop(): void {
    this.#pending = [];
  }

  interrupt(refusal: BotRefusal): void {
    this.#open?.fail(refusal);
  }

  /** @throws {BotRefusal} 409 when another poll begins. */
  async poll({ offset, limit, timeoutS, signal }: PollOptions): Promise<readonly BotUpdate[]> {
    if (limit < 1 || limit > 100) throw badRequest("limit must be from 1 to 100");
    this.interrupt(new BotRefusal(409, takenOver));
    // A negative offset counts from the end and forgets earlier updates.
    const from = offset < 0 ? (this.#pending.at(offset)?.update_id ?? this.#pending[0]?.update_id ?? 0) : offset;
    this.confirm(from);
    if (this.#pending.length + this.#again.length === 0 && timeoutS > 0) await this.#next(timeoutS, signal);
    const again = this.#again;
    this.#again = [];
    return [...again, ...this.#pending].slice(0, limit);
  }

  async #next(timeoutS: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const open = { wake: resolve, fail: reject };
    const timer = setTimeout(resolve, timeoutS * 1_000);
    const leave = (): void => resolve();
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    this.#open = open;
    this.onChange();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      if (this.#open === open) this.#open = undefined;
    }
  }
}
