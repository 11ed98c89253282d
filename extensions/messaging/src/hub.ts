import { errorMessage, KernelError, type Storage } from "@incipit/kernel";
import type {
  ChannelMessageView,
  ChannelPersonView,
  ChannelView,
  ContinueInChatRequest,
  PageQuery,
  PairingCode,
  SendToChannelRequest,
} from "@incipit/schema";
import { ServiceError, type Channel, type Chats, type Page } from "@incipit/service-contract";
import { channelOff, ChannelWorker } from "./channel-worker.ts";
import type { ChatsContext } from "./chats-context.ts";
import { keys } from "./keys.ts";
import { seenWrites } from "./seen.ts";
import {
  storedChannelSchema,
  storedChatSchema,
  storedMessageSchema,
  storedNothingSchema,
  storedPersonSchema,
  type StoredMessage,
} from "./stored.ts";
import { textContents } from "./texts.ts";

const maxPending = 200;
const pageLimit = 1_000;

/** Includes the stored state of former channels. */
export class Hub implements Chats {
  readonly #context: ChatsContext;
  readonly #desks = new Map<string, ChannelWorker>();
  /** The next channel with the same id waits for them. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(context: ChatsContext) {
    this.#context = context;
  }

  sync(channels: readonly Channel[]): void {
    for (const [id, desk] of this.#desks) {
      if (channels.includes(desk.channel)) continue;
      desk.end();
      this.#desks.delete(id);
      this.#going.set(
        id,
        Promise.all([this.#going.get(id), desk.ended()]).then(() => undefined),
      );
    }
    for (const channel of channels) {
      if (this.#desks.has(channel.id)) continue;
      const desk = new ChannelWorker(this.#context, channel);
      this.#desks.set(channel.id, desk);
      void this.#begin(desk);
    }
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#going.values(), ...[...this.#desks.values()].map((desk) => desk.ended())]);
  }

  channels(): Promise<readonly ChannelView[]> {
    return toServiceError(async () => {
      const { storage, clock } = this.#context;
      const stored = await storage.list({ prefix: keys.channels, limit: pageLimit }, storedChannelSchema);
      const ids = [...new Set([...this.#desks.keys(), ...stored.map(({ value }) => value.id)])].toSorted();
      const since = new Date(clock.now()).toISOString();
      const off = { state: "off", why: null, since, account: null } as const;
      return Promise.all(
        ids.map(async (id) => ({
          id,
          ...(this.#desks.get(id)?.state ?? off),
          waiting: await countOf(storage, keys.allPending(id)),
          unknown: await countOf(storage, keys.allUnknown(id)),
          failed: await countOf(storage, keys.allFailed(id)),
        })),
      );
    });
  }

  messages(channel: string, { cursor, limit }: PageQuery): Promise<Page<ChannelMessageView>> {
    return toServiceError(async () => {
      await this.#assertKnown(channel);
      const prefix = keys.messages(channel);
      const range = cursor === undefined ? { prefix } : { start: prefix, end: keys.message(channel, cursor) };
      const found = await this.#context.storage.list({ ...range, limit, reverse: true }, storedMessageSchema);
      const items = found.map(({ value }) => messageView(value));
      const last = items.at(-1);
      return last === undefined || items.length < limit ? { items } : { items, nextCursor: last.id };
    });
  }

  retry(channel: string, message: string): Promise<ChannelMessageView> {
    const work = async ({ outbox }: ChannelWorker): Promise<ChannelMessageView> => {
      const { storage } = this.#context;
      const key = keys.message(channel, message);
      const stored = await storage.getVersioned(key, storedMessageSchema);
      if (stored === undefined)
        throw new ServiceError("MESSAGE_UNKNOWN", `No message of "${channel}" has the id "${message}"`);
      const { state, retriedAs, chatId, content } = stored.value;
      const isOver = state === "unknown" || state === "failed";
      if (!isOver || retriedAs !== null) throw notRetryable(stored.value);
      const { messages, writes } = outbox.prepare(chatId, [content]);
      const [again] = messages;
      if (again === undefined) throw new Error("Resending a message created no message");
      const result = await storage.atomic(
        [{ key, version: stored.version }],
        [
          { kind: "set", key, value: { ...stored.value, retriedAs: again.id } },
          { kind: "delete", key: keys.unknown(channel, message) },
          { kind: "delete", key: keys.failed(channel, message) },
          ...writes,
        ],
      );
      if (result.kind === "conflict") throw notRetryable({ ...stored.value, retriedAs: again.id });
      outbox.wake(chatId);
      return messageView(again);
    };
    return toServiceError(() => this.#onDesk(channel, work));
  }

  send(
    channel: string,
    { chat, text }: SendToChannelRequest,
    { key }: { readonly key?: string } = {},
  ): Promise<readonly ChannelMessageView[]> {
    const work = async (desk: ChannelWorker): Promise<readonly ChannelMessageView[]> => {
      const { storage } = this.#context;
      await this.#assertChat(desk, chat);
      const pending = await storage.list(
        { prefix: keys.pendingIn(channel, chat), limit: maxPending },
        storedNothingSchema,
      );
      if (pending.length === maxPending) {
        const message = `${maxPending} messages are already queued for "${chat}"; send it again later`;
        throw new ServiceError("SERVICE_UNAVAILABLE", message);
      }
      const { messages, writes } = desk.outbox.prepare(chat, textContents(desk.channel, text));
      // Update ids of services never start like this.
      const mark = key === undefined ? undefined : `sent ${key}`;
      const result = await storage.atomic(
        mark === undefined ? [] : [{ key: keys.seen(channel, mark), version: null }],
        [...writes, ...(mark === undefined ? [] : seenWrites(channel, mark, this.#context.clock.now()))],
      );
      if (result.kind === "conflict") return [];
      desk.outbox.wake(chat);
      return messages.map(messageView);
    };
    return toServiceError(() => this.#onDesk(channel, work));
  }

  continueIn(
    channel: string,
    chat: string,
    { conversationId }: ContinueInChatRequest,
  ): Promise<readonly ChannelMessageView[]> {
    const work = async (desk: ChannelWorker): Promise<readonly ChannelMessageView[]> => {
      await this.#assertChat(desk, chat);
      return (await desk.continueIn(chat, conversationId)).map(messageView);
    };
    return toServiceError(() => this.#onDesk(channel, work));
  }

  createPairingCode(channel: string): Promise<PairingCode> {
    return toServiceError(() => this.#onDesk(channel, ({ people }) => people.createCode()));
  }

  people(channel: string): Promise<readonly ChannelPersonView[]> {
    return toServiceError(async () => {
      await this.#assertKnown(channel);
      const desk = this.#desks.get(channel);
      if (desk !== undefined && (await desk.ready)) return desk.people.list();
      const range = { prefix: keys.people(channel), limit: pageLimit };
      const stored = await this.#context.storage.list(range, storedPersonSchema);
      return stored.map(({ key, value: { name, pairedMs } }) => ({
        id: keys.last(key),
        name,
        source: "pairing",
        pairedAt: new Date(pairedMs).toISOString(),
      }));
    });
  }

  removePerson(channel: string, person: string): Promise<void> {
    return toServiceError(() => this.#onDesk(channel, (desk) => desk.removePerson(person)));
  }

  /** @throws {ServiceError} unless the configuration names the chat or an allowed person has written in it. */
  async #assertChat({ channel: { id, settings }, people }: ChannelWorker, chat: string): Promise<void> {
    if (settings.people.includes(chat) || people.isGroupKnown(chat)) return;
    if ((await this.#context.storage.get(keys.chat(id, chat), storedChatSchema)) !== undefined) return;
    const message = `Unknown chat "${chat}" of "${id}": no paired person has written in it, and the configuration does not list it`;
    throw new ServiceError("CHAT_UNKNOWN", message);
  }

  async #begin(desk: ChannelWorker): Promise<void> {
    await this.#going.get(desk.channel.id);
    await desk.run();
  }

  async #onDesk<Result>(channel: string, work: (desk: ChannelWorker) => Promise<Result>): Promise<Result> {
    await this.#assertKnown(channel);
    const desk = this.#desks.get(channel);
    if (desk === undefined) throw channelOff(channel);
    return desk.during(() => work(desk));
  }

  async #assertKnown(channel: string): Promise<void> {
    if (this.#desks.has(channel)) return;
    if ((await this.#context.storage.get(keys.channel(channel), storedChannelSchema)) !== undefined) return;
    throw new ServiceError("CHANNEL_UNKNOWN", `No channel has the id "${channel}"`, {
      next: { action: "list-channels" },
    });
  }
}

function messageView(message: StoredMessage): ChannelMessageView {
  const { id, chatId, content, state, why, createdMs, endedMs, attempts, retriedAs } = message;
  return {
    id,
    chat: chatId,
    kind: content.kind,
    text: content.kind === "text" ? content.text : content.name,
    state,
    why,
    createdAt: new Date(createdMs).toISOString(),
    endedAt: endedMs === null ? null : new Date(endedMs).toISOString(),
    attempts,
    retriedAs,
  };
}

function notRetryable({ id, state, retriedAs }: StoredMessage): ServiceError {
  const why = retriedAs === null ? `it is ${state}` : `it was resent as "${retriedAs}"`;
  const message = `The message "${id}" cannot be resent: ${why}; only failed messages and those with unknown delivery can, once`;
  return new ServiceError("MESSAGE_NOT_RETRYABLE", message);
}

async function countOf(storage: Storage, prefix: string): Promise<number> {
  return (await Array.fromAsync(storage.entries(prefix, storedNothingSchema))).length;
}

async function toServiceError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (ServiceError.is(error)) throw error;
    const code = KernelError.is(error) ? "SERVICE_UNAVAILABLE" : "STORAGE_FAILED";
    throw new ServiceError(code, errorMessage(error), { cause: error });
  }
}
