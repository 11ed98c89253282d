import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage, mergeDeltas, numberProblems } from "@incipit/testkit";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { collect, createWorld, finish, outcomeOf, stall, untilStored, type World } from "../testing/test-world.ts";
import { hookedStorage, listStored } from "../testing/hooked-storage.ts";

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("follow rejects a future sequence number", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  const { lastSeq } = await world.conversations.get(id);

  const failure = await collect(world.conversations.follow(id, { afterSeq: lastSeq + 1 })).catch(
    (error: unknown) => error,
  );

  expect(failure).toMatchObject({ code: "INVALID_EVENT_ID" });
});

test("follow ends on abort, at any interleaving", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  for (let ticks = 0; ticks < 12; ticks += 1) {
    const controller = new AbortController();
    const ended = collect(world.conversations.follow(id, { afterSeq: 0, signal: controller.signal }));
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    controller.abort();
    const late = new Promise<string>((resolve) => setImmediate(() => setImmediate(() => resolve("late"))));
    expect(await Promise.race([ended, late])).toEqual([]);
  }
});

test("follow reads evicted events from storage without gaps or duplicates", async () => {
  await using world = await createWorld();
  const { id, events: live } = await world.ask("go", async function* long() {
    for (let count = 0; count < 1_250; count += 1) {
      yield { type: "text-delta", partId: "text", text: `${count} ` };
      yield { type: "reasoning-delta", partId: "reasoning", text: `${count} ` };
    }
    yield finish;
  });
  const { lastSeq } = await world.conversations.get(id);
  expect(lastSeq).toBeGreaterThan(2_500);

  for (const afterSeq of [0, 1, 499, 1_500, lastSeq - 1]) {
    const seen = await world.events(id, afterSeq);
    expect(seen).toEqual(live.slice(afterSeq));
  }
});

test("follow reads long texts from storage and short ones from memory", async () => {
  let reads = 0;
  const storage = hookedStorage({
    list: (range) => {
      if ((range.start ?? "").startsWith("event:")) reads += 1;
    },
  });
  await using world = await createWorld({ storage });
  const { id, events: before } = await world.ask("one");
  const readsOfAll = async (afterSeq: number): Promise<number> => {
    reads = 0;
    await world.events(id, afterSeq);
    return reads;
  };
  const short = await readsOfAll(0);
  world.scripts.push(async function* long() {
    for (let count = 0; count < 3; count += 1) {
      yield { type: "text-delta", partId: `${count}`, text: "x".repeat(600_000) };
      yield { type: "text-end", partId: `${count}` };
    }
    yield finish;
  });
  await world.turn(id, "two");
  const { lastSeq } = await world.conversations.get(id);
  await world.turn(id, "three");

  expect(short).toBe(0);
  expect(await readsOfAll(before.length)).toBeGreaterThan(0);
  expect(await readsOfAll(lastSeq)).toBe(0);
});

async function storedTurn(): Promise<{
  readonly world: World;
  readonly id: ConversationId;
  readonly live: readonly TurnEvent[];
  readonly storage: StorageDriver;
}> {
  const storage = createMemoryStorage();
  const before = await createWorld({ storage });
  const { id, events: live } = await before.ask("go", async function* slow() {
    for (const type of ["reasoning", "text"] as const) {
      yield { type: `${type}-start`, partId: type };
      for (let count = 0; count < 40; count += 1) {
        yield { type: `${type}-delta`, partId: type, text: count % 7 === 0 ? "🙂é" : `${count} ` };
        await untilStored();
      }
      yield { type: `${type}-end`, partId: type };
    }
    yield finish;
  });
  await before.kernel.close();
  return { world: await createWorld({ storage }), id, live, storage };
}

test("follow returns the deltas of a completed part as one, with its number range", async () => {
  const { world, id, live, storage } = await storedTurn();
  await using _ = world;

  const stored = await world.events(id);

  expect(live.filter((event) => event.type === "text-delta")).toHaveLength(40);
  expect(stored.map(({ type }) => type)).toEqual([
    "turn-start",
    "step-start",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "text-end",
    "step-end",
    "message-end",
    "turn-end",
  ]);
  expect(stored[3]).toMatchObject({ fromSeq: 4, seq: 43 });
  expect(stored[3]).not.toHaveProperty("pieceLengths");
  expect(mergeDeltas(stored)).toEqual(mergeDeltas(live));
  expect(numberProblems(stored)).toEqual([]);
  const rows = await listStored(storage, `event:${id}:`);
  expect(rows).toHaveLength(stored.length);
});

test("follow returns the remainder of a merged delta for every start within it", async () => {
  const { world, id, live } = await storedTurn();
  await using _ = world;
  for (let afterSeq = 0; afterSeq < live.length; afterSeq += 1) {
    const rest = await world.events(id, afterSeq);

    expect(numberProblems(rest, afterSeq)).toEqual([]);
    expect(mergeDeltas([...live.slice(0, afterSeq), ...rest])).toEqual(mergeDeltas(live));
    expect(rest.find((event) => "fromSeq" in event && event.fromSeq === event.seq)).toBeUndefined();
  }
});

test("follow yields each event once to a slow reader while deltas are merged", async () => {
  await using before = await createWorld();
  const { id } = await before.conversations.create({});
  const gate = Promise.withResolvers<void>();
  before.scripts.push(async function* long() {
    for (let count = 0; count < 150; count += 1) {
      yield { type: "text-delta", partId: "0", text: `${count} ` };
      await untilStored();
    }
    await gate.promise;
    yield { type: "text-delta", partId: "0", text: "x".repeat(2_000_000) };
    yield finish;
  });
  const { turnId } = await before.conversations.send(id, { input: "go" });
  const live = before.ended(id, turnId);
  const slow = before.conversations.follow(id, { afterSeq: 0 })[Symbol.asyncIterator]();
  const seen: TurnEvent[] = [];
  const take = async (): Promise<TurnEvent | undefined> => {
    const next = await slow.next();
    if (next.done !== true) seen.push(next.value);
    return seen.at(-1);
  };
  while ((await take())?.type !== "text-delta");
  gate.resolve();
  await live;
  while ((await take())?.type !== "turn-end");

  expect(numberProblems(seen)).toEqual([]);
  expect(mergeDeltas(seen)).toEqual(mergeDeltas(await live));
});

test("a long text is stored in deltas of at most 16 Ki characters", async () => {
  const before = await createWorld();
  const { id } = await before.conversations.create({});
  const long = "🙂".repeat(100_000);
  before.scripts.push(async function* slow() {
    yield { type: "text-delta", partId: "0", text: `.${long}` };
    for (let count = 0; count < 3_000; count += 1) {
      yield { type: "text-delta", partId: "0", text: "x".repeat(50) };
      if (count % 2 === 0) await immediate();
    }
    yield finish;
  });
  await before.turn(id, "go");
  await before.kernel.close();
  await using world = await createWorld({ storage: before.storage });

  const deltas = (await world.events(id)).filter((event) => event.type === "text-delta");

  expect(deltas.map(({ text }) => text).join("")).toBe(`.${long}${"x".repeat(150_000)}`);
  expect(Math.max(...deltas.map(({ text }) => text.length))).toBeLessThanOrEqual(16_384);
  expect(deltas.length).toBeLessThan(40);
  for (const { text } of deltas) expect(text.isWellFormed()).toBe(true);
});

test("deltas that arrive during a commit become one event", async () => {
  const storage = hookedStorage({ atomic: async () => await immediate() });
  await using world = await createWorld({ storage });
  const { events } = await world.ask("go", async function* flood() {
    for (let count = 0; count < 10_000; count += 1) yield { type: "text-delta", partId: "0", text: `${count} ` };
    yield finish;
  });

  const deltas = events.filter((event) => event.type === "text-delta");
  expect(deltas.map(({ text }) => text).join("")).toBe(Array.from({ length: 10_000 }, (_, n) => `${n} `).join(""));
  expect(deltas.length).toBeLessThan(100);
  expect(numberProblems(events)).toEqual([]);
});

test("follow continues after its idle conversation would have been evicted", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  const { lastSeq } = await world.conversations.get(id);
  const follower = world.conversations.follow(id, { afterSeq: 0 })[Symbol.asyncIterator]();
  await follower.next(); // Busy with its first event, so not waiting.
  for (let count = 0; count < 505; count += 1) await world.conversations.create({});
  const { turnId } = await world.conversations.send(id, { input: "two" });

  const seen: TurnEvent[] = [];
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 60_000));
  for (;;) {
    const next = await Promise.race([follower.next(), late]);
    if (next === undefined || next.done === true) break;
    seen.push(next.value);
    if (next.value.type === "turn-end" && next.value.turnId === turnId) break;
  }
  expect(seen.at(-1)).toMatchObject({ type: "turn-end", turnId });
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 2));
  expect(seen.length).toBeGreaterThan(lastSeq - 1);
});

test("unload interrupts running turns despite a concurrent request for an unknown conversation", async () => {
  const world = await createWorld();
  const { id } = await world.conversations.create({});
  const unknown: ConversationId = (await (await createWorld()).conversations.create({})).id;
  const { turnId } = await world.begin("text-delta", stall, { id, input: "one" });
  const following = world.ended(id, turnId);
  const asked = outcomeOf(world.conversations.get(unknown));
  await world.kernel.unload("session-orchestrator");

  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 60_000));
  expect((await Promise.race([following, late]))?.at(-1)).toMatchObject({
    type: "turn-end",
    status: "interrupted",
  });
  expect(await asked).toMatchObject({ code: "CONVERSATION_UNKNOWN" });
});

test("the number of events in memory shrinks with the number of conversations", async () => {
  let reads = 0;
  const driver = hookedStorage({
    list: (range) => {
      if ((range.start ?? "").startsWith("event:")) reads += 1;
    },
  });
  await using world = await createWorld({ storage: driver });
  const { id } = await world.conversations.create({});
  const say250 = async (): Promise<number> => {
    world.scripts.push(async function* long() {
      for (let count = 0; count < 250; count += 1) {
        yield { type: "text-delta", partId: "text", text: `${count} ` };
        await untilStored();
      }
      yield finish;
    });
    await world.turn(id, "Hello");
    return (await world.conversations.get(id)).lastSeq;
  };
  const readsOf = async (afterSeq: number): Promise<number> => {
    const before = reads;
    await world.events(id, afterSeq);
    return reads - before;
  };

  const alone = await readsOf((await say250()) - 200);
  for (let count = 0; count < 319; count += 1) await world.conversations.create({});
  const lastSeq = await say250();

  expect([alone, await readsOf(lastSeq - 90), await readsOf(lastSeq - 200)]).toEqual([0, 0, 1]);
});
