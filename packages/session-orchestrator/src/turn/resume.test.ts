import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId, TurnId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, outcomeOf, stall, until, type World, type WorldOptions } from "../testing/test-world.ts";
import { FullableStorage } from "../testing/hooked-storage.ts";

const ask: WorldOptions = { settings: { resume: "ask" } };

async function leaveQueue(
  options: { readonly isKilled?: boolean; readonly storage?: StorageDriver } = {},
): Promise<{
  readonly storage: StorageDriver;
  readonly id: ConversationId;
  readonly queued: readonly [TurnId, TurnId];
}> {
  const { storage = createMemoryStorage() } = options;
  const before = await createWorld({ storage });
  const { id } = await before.begin("text-delta", stall, { input: "one" });
  const send = async (input: string): Promise<TurnId> => (await before.conversations.send(id, { input })).turnId;
  const queued = [await send("two"), await send("three")] as const;
  if (options.isKilled !== true) await before[Symbol.asyncDispose]();
  return { storage, id, queued };
}

function asked(world: World): readonly string[] {
  return world.requests.flatMap(({ messages }) =>
    (messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

async function endOf(world: World, id: ConversationId, turnId: TurnId): Promise<unknown> {
  return (await world.ended(id, turnId)).at(-1);
}

for (const isKilled of [false, true]) {
  const how = isKilled ? "was killed" : "was stopped";
  test(`[never-lost] resume runs turns queued when the host ${how}, which wait with resume = "ask"`, async () => {
    const { storage, id, queued } = await leaveQueue({ isKilled });
    await using world = await createWorld({ storage, ...ask });
    const before = await world.conversations.get(id);
    const listed = (await world.conversations.list({ limit: 10 })).items[0];
    const waiting = await world.conversations.queue(id);
    const resumed = await world.conversations.resume(id);
    const end = await endOf(world, id, queued[1]);

    expect([before.status, listed?.status]).toEqual(["waiting", "waiting"]);
    expect(waiting).toEqual([
      { turnId: queued[0], input: "two", position: 1 },
      { turnId: queued[1], input: "three", position: 2 },
    ]);
    expect(resumed).toBe(2);
    expect(end).toMatchObject({ status: "completed" });
    expect(asked(world)).toEqual(["two", "three"]);
    expect((await world.conversations.get(id)).status).toBe("idle");
    expect(await world.conversations.resume(id)).toBe(0);
    await world[Symbol.asyncDispose]();
    await using after = await createWorld({ storage, ...ask });
    expect(await after.conversations.queue(id)).toEqual([]);
  });
}

test("send runs waiting turns first", async () => {
  const { storage, id } = await leaveQueue();
  await using world = await createWorld({ storage, ...ask });
  const { turnId } = await world.conversations.send(id, { input: "four" });
  const [second, third] = await Promise.all([
    world.conversations.send(id, { input: "five" }),
    world.conversations.send(id, { input: "six" }),
  ]);
  await Promise.all([turnId, second.turnId, third.turnId].map((sent) => endOf(world, id, sent)));

  expect(asked(world)).toEqual(["two", "three", "four", "five", "six"]);
});

test("removeQueued removes a waiting turn permanently", async () => {
  const { storage, id, queued } = await leaveQueue();
  const first = await createWorld({ storage, ...ask });
  for (const turnId of queued.slice(0, 1)) await first.conversations.removeQueued(id, turnId);
  const end = await endOf(first, id, queued[0]);
  await first[Symbol.asyncDispose]();
  await using world = await createWorld({ storage, ...ask });
  const left = await world.conversations.queue(id);
  for (const turnId of queued.slice(1)) await world.conversations.removeQueued(id, turnId);

  expect(end).toMatchObject({ status: "cancelled" });
  expect(left.map(({ input }) => input)).toEqual(["three"]);
  expect((await world.conversations.get(id)).status).toBe("idle");
  expect(await world.conversations.resume(id)).toBe(0);
});

test('waiting turns survive restarts and a swap, and run with resume = "run"', async () => {
  const { storage, id, queued } = await leaveQueue();
  const first = await createWorld({ storage, ...ask });
  await first[Symbol.asyncDispose]();
  const second = await createWorld({ storage, ...ask });
  await second.clock.advanceUntil(second.kernel.swap("session-orchestrator"));
  const listed = (await second.conversations.list({ limit: 10 })).items[0];
  const status = (await second.conversations.get(id)).status;
  await second[Symbol.asyncDispose]();
  await using world = await createWorld({ storage });
  await endOf(world, id, queued[1]);

  expect([listed?.status, status]).toEqual(["waiting", "waiting"]);
  expect(second.requests).toEqual([]);
  expect(asked(world)).toEqual(["two", "three"]);
});

test("a swap runs turns queued since the start, with any resume setting", async () => {
  await using world = await createWorld(ask);
  const { id } = await world.begin("text-delta", stall, { input: "one" });
  const { turnId } = await world.conversations.send(id, { input: "two" });
  // The running turn is cut at the drain deadline.
  const swapped = await world.clock.advanceUntil(world.kernel.swap("session-orchestrator"));
  const end = await endOf(world, id, turnId);

  expect(swapped.outcome).toBe("swapped");
  expect(end).toMatchObject({ status: "completed" });
});

test("resume keeps all turns waiting when it cannot be stored", async () => {
  const { storage, id } = await leaveQueue();
  const full = new FullableStorage(undefined, storage);
  await using world = await createWorld({ storage: full.driver, ...ask });
  full.isFull = true;
  const refused = await outcomeOf(world.conversations.resume(id));
  full.isFull = false;

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect((await world.conversations.get(id)).status).toBe("waiting");
  expect(await world.conversations.resume(id)).toBe(2);
});

test("[never-lost] resume loses no turn when the host is killed right after it", async () => {
  const { storage, id } = await leaveQueue();
  const killed = await createWorld({ storage, ...ask, scripts: [stall] });
  await killed.conversations.resume(id);
  await until(killed.conversations.follow(id, { afterSeq: 0 }), "text-delta");
  await using world = await createWorld({ storage });
  const last = (await world.conversations.queue(id)).at(-1);
  if (last !== undefined) await endOf(world, id, last.turnId);

  expect(asked(world)).toEqual(["three"]);
});

test("send runs no waiting turn when it cannot be stored", async () => {
  const { storage, id } = await leaveQueue();
  const full = new FullableStorage(undefined, storage);
  await using world = await createWorld({ storage: full.driver, ...ask });
  full.isFull = true;
  const refused = await outcomeOf(world.conversations.send(id, { input: "four" }));
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  full.isFull = false;

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect((await world.conversations.queue(id)).map(({ input }) => input)).toEqual(["two", "three"]);
  expect(world.requests).toEqual([]);
});
