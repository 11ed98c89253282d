import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { collect, createWorld, type World } from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";

async function settled(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Storage that lists the ids of conversations read. */
function watchedStorage(): { readonly storage: StorageDriver; readonly read: string[] } {
  const read: string[] = [];
  const get = (key: string): void => {
    if (key.startsWith("conversation:")) read.push(key.slice("conversation:".length));
  };
  return { storage: hookedStorage({ get }), read };
}

async function followMany({ conversations }: World): Promise<() => Promise<void>> {
  const leave = new AbortController();
  const following: Promise<unknown>[] = [];
  for (let count = 0; count < 500; count += 1) {
    const { id } = await conversations.create({});
    following.push(collect(conversations.follow(id, { afterSeq: 0, signal: leave.signal })));
  }
  return async () => {
    leave.abort();
    await Promise.all(following);
  };
}

test("load returns one shared instance, even with more followed conversations than the limit", async () => {
  const looked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const storage = hookedStorage({
    get: async (key) => {
      if (key.startsWith("idempotent-send:")) {
        looked.resolve();
        await released.promise;
      }
    },
  });
  await using world = await createWorld({ storage });
  const leave = await followMany(world);
  await settled();
  const { id } = await world.conversations.create({});
  await settled();

  const first = world.conversations.send(id, { input: "one" }, { idempotencyKey: "key" });
  await looked.promise;
  await settled();
  const second = await world.conversations.send(id, { input: "two" });
  released.resolve();
  const { turnId } = await first;
  await world.ended(id, second.turnId);
  await world.ended(id, turnId);

  const { items } = await world.records.messages(id, { limit: 10 });
  const events = await world.events(id);
  expect(numberProblems(events)).toEqual([]);
  expect(items.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  await leave();
});

test("load keeps idle conversations in memory within the size limit", async () => {
  const { storage, read } = watchedStorage();
  await using world = await createWorld({ storage });
  const ids: ConversationId[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { id } = await world.ask("long ".repeat(1_600_000));
    ids.push(id);
  }
  await settled();
  read.length = 0;

  for (const id of ids.toReversed()) await world.conversations.get(id);

  expect(read.filter((id) => id === ids.at(-1))).toEqual([]);
  expect(read.filter((id) => id === ids[0]).length).toBe(1);
});

test("load counts the request copy that a provider keeps", async () => {
  const { storage, read } = watchedStorage();
  await using world = await createWorld({ storage });
  const ids: ConversationId[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { id } = await world.ask("long ".repeat(1_800_000)); // Its history and two copies of the request: 27 million units.
    ids.push(id);
  }
  await settled();
  read.length = 0;

  for (const id of ids) await world.conversations.get(id);

  expect(read).toEqual(ids.slice(0, 1));
});

test("load measures only active conversations", async () => {
  await using world = await createWorld();
  const ids: ConversationId[] = [];
  for (let count = 0; count < 300; count += 1) ids.push((await world.conversations.create({})).id);
  await settled();
  const getter = Object.getOwnPropertyDescriptor(LoadedConversation.prototype, "length");
  let measured = 0;
  Object.defineProperty(LoadedConversation.prototype, "length", {
    configurable: true,
    get(this: LoadedConversation) {
      measured += 1;
      return Number(getter?.get?.call(this));
    },
  });
  try {
    for (const id of ids.slice(0, 10)) {
      await world.conversations.get(id);
      await settled();
    }
  } finally {
    if (getter !== undefined) Object.defineProperty(LoadedConversation.prototype, "length", getter);
  }

  expect(measured).toBeGreaterThan(0);
  expect(measured).toBeLessThanOrEqual(20);
});

test("load evicts all unused conversations above the limit, also behind used ones", async () => {
  const { storage, read } = watchedStorage();
  await using world = await createWorld({ storage });
  const leave = await followMany(world);
  const idle: ConversationId[] = [];
  for (let count = 0; count < 40; count += 1) idle.push((await world.conversations.create({})).id);
  for (let count = 0; count < 10; count += 1) await settled();
  for (const id of idle.slice(-1)) await world.conversations.get(id);
  for (let count = 0; count < 10; count += 1) await settled();
  read.length = 0;

  for (const id of idle) await world.conversations.get(id);

  expect(read.length).toBeGreaterThan(30);
  await leave();
});
