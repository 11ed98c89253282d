import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { allPages, createWorld, fail, say, stall, type World } from "../testing/test-world.ts";
import {
  conversationsNamespace,
  deleteStored,
  getStored,
  hookedStorage,
  putStored,
} from "../testing/hooked-storage.ts";

async function storedKeys(storage: StorageDriver, part: string): Promise<readonly string[]> {
  const entries = await storage.list(conversationsNamespace, { prefix: "", limit: 10_000 });
  return entries.map(({ key }) => key).filter((key) => key.includes(part));
}

async function live(world: World): Promise<ConversationId> {
  const { id } = await world.ask("one");
  world.scripts.push(() => fail("UNAUTHORIZED", false));
  await world.turn(id, "two");
  world.scripts.push(() => say("Summary"));
  await world.conversations.compact(id);
  await world.turn(id, "three");
  return id;
}

async function summaryOf(world: World, id: ConversationId): Promise<unknown> {
  return (await world.records.audit(id, { limit: 100 })).summary;
}

test("audit returns the stored summary, equal to one computed from all steps", async () => {
  await using world = await createWorld({ prompts: ["p", "q"] });
  const id = await live(world);
  const key = `audit:${id}`;
  const stored = await getStored(world.storage, key);
  const kept = await summaryOf(world, id);
  await deleteStored(world.storage, key);

  expect(await summaryOf(world, id)).toEqual(kept);
  expect(kept).toMatchObject({ steps: 4, held: 1, expected: 2, broken: 0, reasons: { compaction: 2 } });
  expect(await getStored(world.storage, key)).toEqual(stored);
});

test("audit recomputes a damaged summary and continues with it", async () => {
  await using world = await createWorld({ prompts: ["p", "q"] });
  const id = await live(world);
  const kept = await summaryOf(world, id);
  await putStored(world.storage, `audit:${id}`, "garbage");
  expect(await summaryOf(world, id)).toEqual(kept);
  await putStored(world.storage, `audit:${id}`, "garbage");
  await world.turn(id, "four");

  expect(await summaryOf(world, id)).toMatchObject({ steps: 5, held: 2 });
});

test("audit counts an interrupted step once, after recovery", async () => {
  const storage = createMemoryStorage();
  let id: ConversationId;
  {
    const lost = await createWorld({ storage, prompts: ["p"] });
    ({ id } = await lost.conversations.create({}));
    await lost.turn(id, "one");
    await lost.begin("text-delta", stall, { id, input: "two" });
    expect(await summaryOf(lost, id)).toMatchObject({ steps: 1 });
  }

  await using world = await createWorld({ storage, prompts: [] });
  await world.turn(id, "three");

  expect(await summaryOf(world, id)).toMatchObject({ steps: 3, held: 2, broken: 0 });
});

test("audit stores no summary during a step or for a deleted conversation", async () => {
  await using world = await createWorld({ prompts: ["p"] });
  const { id } = await world.ask("one");
  await world.begin("text-delta", stall, { id, input: "two" });
  await deleteStored(world.storage, `audit:${id}`);

  expect(await summaryOf(world, id)).toMatchObject({ steps: 1 });
  expect(await storedKeys(world.storage, "audit:")).toEqual([]);
  await world.conversations.stop(id);
  await world.turn(id, "three");
  expect(await summaryOf(world, id)).toMatchObject({ steps: 3 });
  expect(await storedKeys(world.storage, "audit:")).toEqual([`audit:${id}`]);
  await world.conversations.delete(id);
  expect(await storedKeys(world.storage, id)).toEqual([]);
});

test("audits lists matches newest first in pages whose totals add up", async () => {
  await using world = await createWorld();
  const ids: ConversationId[] = [];
  for (let count = 0; count < 7; count += 1) {
    const { id } = await world.conversations.create({});
    if (count !== 3) await world.turn(id, `Conversation ${count}`);
    if (count % 2 === 0) await world.turn(id, "again", { model: "test/other" });
    ids.unshift(id);
    await world.clock.advance(60_000);
  }
  const without = ids.toSpliced(3, 1);
  const all = await world.records.audits({ limit: 100, onlyBroken: "false" });
  const broken = await world.records.audits({ limit: 100, onlyBroken: "true" });
  const since = all.items[2]?.summary.lastStepAt ?? "";
  const newer = await world.records.audits({ limit: 100, onlyBroken: "false", since });
  const compacted = await world.records.audits({ limit: 100, onlyBroken: "false", reason: "compaction" });

  expect(all.items.map(({ id }) => id)).toEqual(without);
  expect(all.totals).toMatchObject({ steps: 10, broken: 4, reasons: { "first-step": 6, "model-changed": 4 } });
  expect(broken.items.map(({ id }) => id)).toEqual(ids.filter((_, index) => index % 2 === 0));
  expect(newer.items.map(({ id }) => id)).toEqual(without.slice(0, 3));
  expect(compacted).toMatchObject({ items: [], totals: { steps: 0 } });
  const pages = await allPages((cursor) => world.records.audits({ limit: 2, onlyBroken: "false", ...cursor }));
  expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(without);
  expect(pages.reduce((sum, { totals }) => sum + totals.steps, 0)).toBe(10);
});

test("audits reads the stored summaries of a page together, without reading steps", async () => {
  const read: string[] = [];
  const storage = hookedStorage({
    get: (key) => read.push(key),
    list: (range) => read.push(range.prefix ?? range.start ?? ""),
  });
  await using world = await createWorld({ storage });
  for (const input of ["one", "two", "three"]) await world.turn((await world.conversations.create({})).id, input);
  read.length = 0;

  const { totals } = await world.records.audits({ limit: 100, onlyBroken: "false" });

  expect(totals).toMatchObject({ steps: 3 });
  expect(read.filter((key) => key.startsWith("step:"))).toEqual([]);
  expect(read.filter((key) => key.startsWith("audit:"))).toHaveLength(1);
});
