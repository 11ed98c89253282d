import type {
  AtomicResult,
  Clock,
  JsonValue,
  Storage,
  StorageCheck,
  StorageWrite,
  Versioned,
} from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import {
  type ClientConversationKey,
  type ClientConversationsService,
  type ClientItemsPage,
  type StoredClientConversation,
  type StoredClientItem,
  ServiceError,
} from "@incipit/service-contract";
import { withServiceErrors } from "../failures/service-errors.ts";
import * as z from "zod";

const maxTries = 8;

const deletedAtOnce = 500;

const idPattern = /^conv_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const itemIdPattern = /^[a-z]{2,4}_[0-9a-f_-]{1,60}$/;

const conversationSchema = lazySchema(() =>
  z.object({ owner: z.string().nullable(), createdAt: z.int(), metadata: z.record(z.string(), z.string()) }),
);
type StoredConversation = z.infer<typeof conversationSchema>;

const placeSchema = lazySchema(() => z.object({ number: z.int() }));

type Writes = readonly StorageWrite[];

export class ClientConversations implements ClientConversationsService {
  readonly #storage: Storage;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  async create({
    owner,
    items,
    metadata,
  }: Parameters<ClientConversationsService["create"]>[0]): Promise<StoredClientConversation> {
    const id = `conv_${Bun.randomUUIDv7()}`;
    const value = { owner, createdAt: Math.floor(this.#clock.now() / 1_000), metadata: { ...metadata } };
    await this.#atomic([], [{ kind: "set", key: keys.conversation(id), value }, ...addWrites(id, noItems, items)]);
    return shown(id, value);
  }

  async get(key: ClientConversationKey): Promise<StoredClientConversation> {
    return shown(key.id, (await this.#find(key)).value);
  }

  async update(
    asked: ClientConversationKey,
    metadata: Readonly<Record<string, string>>,
  ): Promise<StoredClientConversation> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { key, version, value: before } = await this.#find(asked);
      const value = { ...before, metadata: { ...metadata } };
      const { kind } = await this.#atomic([{ key, version }], [{ kind: "set", key, value }]);
      if (kind === "committed") return shown(asked.id, value);
    }
    throw conversationChanged(asked.id);
  }

  async delete(asked: ClientConversationKey): Promise<void> {
    const { id } = asked;
    const { key } = await this.#find(asked);
    await this.#atomic(
      [],
      [
        { kind: "delete", key },
        { kind: "delete", key: keys.head(id) },
        { kind: "set", key: keys.deleted(id), value: {} },
      ],
    );
    await withServiceErrors(() => this.#deleteRest(id));
  }

  async recover(): Promise<void> {
    for await (const { key } of this.#storage.entries(keys.allDeleted, z.unknown()))
      await this.#deleteRest(key.slice(keys.allDeleted.length));
  }

  async list(
    asked: ClientConversationKey,
    { limit, order, after }: ClientItemsPage,
  ): Promise<{ readonly items: readonly JsonValue[]; readonly hasMore: boolean }> {
    const { id } = asked;
    await this.#find(asked);
    const reverse = order === "desc";
    let start = keys.items(id);
    let end = `${start}~`;
    if (after !== undefined) {
      const number = await this.#place(id, after);
      if (number === undefined) throw afterUnknown(id, after);
      if (reverse) end = keys.item(id, number);
      else start = keys.item(id, number + 1);
    }
    const range = { start, end, reverse, limit: limit + 1 };
    const found = await withServiceErrors(() => this.#storage.list(range, storedItemSchema));
    return { items: found.slice(0, limit).map(({ value }) => value.value), hasMore: found.length > limit };
  }

  async item(asked: ClientConversationKey, itemId: string): Promise<JsonValue> {
    await this.#find(asked);
    return (await this.#item(asked.id, itemId)).item.value;
  }

  async read(
    asked: ClientConversationKey,
  ): Promise<{ readonly version: number; readonly items: readonly JsonValue[] }> {
    const { id } = asked;
    await this.#find(asked);
    const { version, value } = await this.#head(id);
    assertRoom(id, value);
    const items: JsonValue[] = [];
    await withServiceErrors(async () => {
      const entries = this.#storage.entries(keys.items(id), storedItemSchema);
      for await (const entry of entries) items.push(entry.value.value);
    });
    return { version, items };
  }

  async add(
    asked: ClientConversationKey,
    { items, version }: { readonly items: readonly StoredClientItem[]; readonly version?: number },
  ): Promise<void> {
    const { id } = asked;
    await this.#change(asked, (head) => {
      if (version === undefined) assertRoom(id, head.value);
      else if (head.version !== version) throw conversationChanged(id);
      return addWrites(id, head.value, items);
    });
  }

  async remove(asked: ClientConversationKey, itemId: string): Promise<void> {
    const { id } = asked;
    await this.#change(asked, async ({ value }) => removeWrites(id, value, await this.#item(id, itemId)));
  }

  async #change(
    asked: ClientConversationKey,
    writesFor: (head: Versioned<Head>) => Promise<Writes> | Writes,
  ): Promise<void> {
    await this.#find(asked);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const head = await this.#head(asked.id);
      const writes = await writesFor(head);
      const { kind } = await this.#atomic([{ key: head.key, version: head.version }], writes);
      if (kind === "committed") return;
    }
    throw conversationChanged(asked.id);
  }

  async #find({ id, owner }: ClientConversationKey): Promise<Versioned<StoredConversation>> {
    const found = idPattern.test(id)
      ? await withServiceErrors(() => this.#storage.getVersioned(keys.conversation(id), conversationSchema))
      : undefined;
    if (found === undefined || found.value.owner !== owner) throw conversationUnknown(id);
    return found;
  }

  async #head(id: string): Promise<Versioned<Head>> {
    const head = await withServiceErrors(() => this.#storage.getVersioned(keys.head(id), headSchema));
    if (head === undefined) throw conversationUnknown(id);
    return head;
  }

  async #item(id: string, itemId: string): Promise<{ readonly item: StoredClientItem; readonly number: number }> {
    const number = await this.#place(id, itemId);
    const item =
      number === undefined
        ? undefined
        : await withServiceErrors(() => this.#storage.get(keys.item(id, number), storedItemSchema));
    if (number === undefined || item === undefined) throw itemUnknown(id, itemId);
    return { item, number };
  }

  async #place(id: string, itemId: string): Promise<number | undefined> {
    if (!itemIdPattern.test(itemId)) return undefined;
    const place = await withServiceErrors(() => this.#storage.get(keys.place(id, itemId), placeSchema));
    return place?.number;
  }

  async #deleteRest(id: string): Promise<void> {
    for (const prefix of [keys.items(id), keys.places(id)])
      for (;;) {
        const found = await this.#storage.list({ prefix, limit: deletedAtOnce }, z.unknown());
        if (found.length === 0) break;
        await this.#storage.atomic(
          [],
          found.map(({ key }) => ({ kind: "delete", key })),
        );
      }
    await this.#storage.delete(keys.deleted(id));
  }

  #atomic(checks: readonly StorageCheck[], writes: Writes): Promise<AtomicResult> {
    return withServiceErrors(() => this.#storage.atomic(checks, writes));
  }
}

function shown(id: string, { createdAt, metadata }: StoredConversation): StoredClientConversation {
  return { id, createdAt, metadata };
}

/** Padded, because keys sort by bytes. */
const numberDigits = 12;

const keys = {
  conversation: (id: string): string => `conversation:${id}`,
  /** Changes with every change of the items, for optimistic concurrency. */
  head: (id: string): string => `head:${id}`,
  item: (id: string, number: number): string => `item:${id}:${String(number).padStart(numberDigits, "0")}`,
  items: (id: string): string => `item:${id}:`,
  place: (id: string, itemId: string): string => `place:${id}:${itemId}`,
  places: (id: string): string => `place:${id}:`,
  deleted: (id: string): string => `deleted:${id}`,
  allDeleted: "deleted:",
} as const;

function conversationChanged(id: string): ServiceError {
  const message = `Conversation "${id}" was changed concurrently: try again`;
  return new ServiceError("CONVERSATION_BUSY", message, { details: [{ field: '"conversation"', message }] });
}

function conversationUnknown(id: string): ServiceError {
  const message = `There is no conversation "${id.slice(0, 100)}" for this token: it was deleted, or not created with POST /v1/conversations`;
  return new ServiceError("CONVERSATION_UNKNOWN", message, { details: [{ field: '"conversation"', message }] });
}

function itemUnknown(id: string, itemId: string): ServiceError {
  return new ServiceError("MESSAGE_UNKNOWN", `Conversation "${id}" has no item "${itemId.slice(0, 100)}"`);
}

function noRoom(id: string, why: string): ServiceError {
  const message = `Conversation "${id}" has ${why}: begin another one`;
  return new ServiceError("INVALID_REQUEST", message, { details: [{ field: '"conversation"', message }] });
}

function afterUnknown(id: string, after: string): ServiceError {
  const message = `must be the id of an item of "${id}": "${after.slice(0, 100)}" is none`;
  return new ServiceError("INVALID_REQUEST", `The request is not valid: "after": ${message}`, {
    details: [{ field: '"after"', message }],
  });
}

/** Each request to a model contains all items. */
const maxItems = 10_000;
const maxItemsBytes = 32 * 1_048_576;

const headSchema = lazySchema(() =>
  z.object({
    next: z.int().nonnegative(),
    count: z.int().nonnegative(),
    sizeBytes: z.int().nonnegative(),
  }),
);
type Head = z.infer<typeof headSchema>;

const storedItemSchema = lazySchema(() => z.object({ id: z.string(), value: z.json() }));

const noItems: Head = { next: 0, count: 0, sizeBytes: 0 };

/** @throws {ServiceError} `INVALID_REQUEST`. */
function assertRoom(id: string, { count, sizeBytes }: Head): void {
  if (count < maxItems && sizeBytes < maxItemsBytes) return;
  throw noRoom(id, `${count} items of ${sizeBytes} bytes, and may have ${maxItems} of ${maxItemsBytes}`);
}

function addWrites(id: string, head: Head, items: readonly StoredClientItem[]): readonly StorageWrite[] {
  const written = items.flatMap((item, index): readonly StorageWrite[] => {
    const number = head.next + index;
    return [
      {
        kind: "set",
        key: keys.item(id, number),
        value: { id: item.id, value: item.value },
      },
      { kind: "set", key: keys.place(id, item.id), value: { number } },
    ];
  });
  const sizeBytes = items.reduce((sum, item) => sum + sizeOf(item), head.sizeBytes);
  const next = head.next + items.length;
  return [headWrite(id, { next, count: head.count + items.length, sizeBytes }), ...written];
}

function removeWrites(
  id: string,
  { next, count, sizeBytes }: Head,
  { item, number }: { readonly item: StoredClientItem; readonly number: number },
): readonly StorageWrite[] {
  return [
    headWrite(id, { next, count: count - 1, sizeBytes: sizeBytes - sizeOf(item) }),
    { kind: "delete", key: keys.item(id, number) },
    { kind: "delete", key: keys.place(id, item.id) },
  ];
}

function headWrite(id: string, value: Head): StorageWrite {
  return { kind: "set", key: keys.head(id), value };
}

function sizeOf({ value }: StoredClientItem): number {
  return Buffer.byteLength(JSON.stringify(value));
}
