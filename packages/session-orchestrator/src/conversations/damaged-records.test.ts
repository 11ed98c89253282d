import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { allPages, createWorld, outcomeOf, stall, until, type World } from "../testing/test-world.ts";
import { conversationsNamespace, getStored, listStored, putStored } from "../testing/hooked-storage.ts";

const garbage = { this: "is no record" };

async function lose(): Promise<{
  readonly storage: StorageDriver;
  readonly id: ConversationId;
  readonly other: ConversationId;
}> {
  const storage = createMemoryStorage();
  const lost = await createWorld({ storage, prompts: ["kept", "kept too"] });
  const [{ id }, { id: other }] = [await lost.conversations.create({}), await lost.conversations.create({})];
  await lost.turn(other, "hello");
  await lost.turn(id, "one");
  lost.scripts.push(stall);
  await lost.conversations.send(id, { input: "two" });
  await until(
    lost.conversations.follow(id, { afterSeq: (await lost.conversations.get(id)).lastSeq - 1 }),
    "text-delta",
  );
  await lost.conversations.send(id, { input: "three" });
  return { storage, id, other };
}

async function damage(storage: StorageDriver, prefix: string, index: number): Promise<string> {
  const entries = await storage.list(conversationsNamespace, { prefix, limit: 1_000 });
  const key = entries.at(index)?.key;
  if (key === undefined) throw new Error(`Nothing is stored under "${prefix}"`);
  await putStored(storage, key, garbage);
  return key;
}

function healthOf(world: World): { readonly first?: string } | undefined {
  return world.kernel.list().find(({ id }) => id === "session-orchestrator")?.damage;
}

const isStored = [
  ["a conversation", "conversation:ID", -1],
  ["a message in the middle", "message:ID:", 1],
] as const;
const isLeftOut = [
  ["the newest event", "event:ID:", -1],
  ["the newest step", "step:ID:", -1],
  ["the first step", "step:ID:", 0],
] as const;

for (const [name, prefix, index] of isStored) {
  test(`[set-aside] damaged ${name} stays unchanged; only its conversation fails`, async () => {
    const { storage, id, other } = await lose();
    const key = await damage(storage, prefix.replace("ID", id), index);
    await using world = await createWorld({ storage, prompts: [] });
    const refused = await outcomeOf(world.conversations.send(id, { input: "four" }));
    const events = await world.turn(other, "on");
    const { items } = await world.conversations.list({ limit: 10 });

    expect(refused).toMatchObject({ code: "STORED_DATA_DAMAGED" });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(items.map((item) => item.id)).toContain(other);
    expect(await getStored(storage, key)).toEqual(garbage);
    expect(healthOf(world)?.first).toContain(key);
  });
}

for (const [name, prefix, index] of isLeftOut) {
  test(`[set-aside] damaged ${name} stays unchanged; its conversation continues with the same prompt`, async () => {
    const { storage, id } = await lose();
    const key = await damage(storage, prefix.replace("ID", id), index);
    await using world = await createWorld({ storage, prompts: ["another"] });
    const events = await world.turn(id, "four");

    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(world.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([["kept too"], ["kept too"]]);
    expect(await listStored(storage, "active:")).toEqual([]);
    expect(await getStored(storage, key)).toEqual(garbage);
    expect(healthOf(world)?.first).toContain(key);
  });
}

test("[set-aside] steps and audit skip a damaged step and continue after it", async () => {
  const { storage, id } = await lose();
  await damage(storage, `step:${id}:`, 0);
  await using world = await createWorld({ storage, prompts: [] });
  await world.turn(id, "four");
  const all = await world.records.steps(id, { limit: 100 });
  const paged = await allPages((cursor) => world.records.steps(id, { limit: 1, ...cursor }));
  const audit = await world.records.audit(id, { limit: 100 });

  expect(all.items.length).toBeGreaterThan(1);
  expect(paged.flatMap(({ items }) => items)).toEqual([...all.items]);
  expect(audit.items.map((step) => step.id)).toEqual(all.items.map((step) => step.id));
});

test("[set-aside] a damaged active turn is reported, and later turns run", async () => {
  const { storage, id } = await lose();
  const key = await damage(storage, "active:", 0);
  await using world = await createWorld({ storage, prompts: [] });
  const events = await world.turn(id, "four");

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(world.requests.map(({ messages }) => messages.at(-1)?.parts)).toMatchObject([
    [{ text: "three" }],
    [{ text: "four" }],
  ]);
  expect(await getStored(storage, key)).toEqual(garbage);
  expect(healthOf(world)?.first).toContain(key);
});
