import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, stall, until, type World } from "../testing/test-world.ts";

const namespace = "session-orchestrator/conversations";
const garbage = { this: "is no record" };

/** A host that was killed: one conversation with a turn that runs and one that waits, and another one, at rest. */
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
  lost.scripts.push((request) => stall(request));
  await lost.conversations.send(id, { input: "two" });
  await until(
    lost.conversations.follow(id, { afterSeq: (await lost.conversations.get(id)).lastSeq - 1 }),
    "text-delta",
  );
  await lost.conversations.send(id, { input: "three" });
  return { storage, id, other };
}

/** Puts garbage in the place of one record below a prefix, and gives its key. */
async function damage(storage: StorageDriver, prefix: string, index: number): Promise<string> {
  const entries = await storage.list(namespace, { prefix, limit: 1_000 });
  const key = entries.at(index)?.key;
  if (key === undefined) throw new Error(`Nothing is stored under "${prefix}"`);
  await storage.atomic([], [{ kind: "set", namespace, key, value: garbage }]);
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
  test(`[set-aside] ${name} that is damaged stays as it is: its conversation says so, and the others go on`, async () => {
    const { storage, id, other } = await lose();
    const key = await damage(storage, prefix.replace("ID", id), index);
    await using world = await createWorld({ storage, prompts: [] });
    const refused = await world.conversations.send(id, { input: "four" }).catch((error: unknown) => error);
    const events = await world.turn(other, "on");
    const { items } = await world.conversations.list({ limit: 10 });

    expect(refused).toMatchObject({ code: "STORED_DATA_DAMAGED" });
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(items.map((item) => item.id)).toContain(other);
    expect((await storage.get(namespace, key))?.value).toEqual(garbage);
    expect(healthOf(world)?.first).toContain(key);
  });
}

for (const [name, prefix, index] of isLeftOut) {
  test(`[set-aside] ${name} that is damaged stays as it is, and its conversation goes on with the prompt that it had`, async () => {
    const { storage, id } = await lose();
    const key = await damage(storage, prefix.replace("ID", id), index);
    await using world = await createWorld({ storage, prompts: ["another"] });
    const events = await world.turn(id, "four");

    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(world.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([["kept too"], ["kept too"]]);
    expect(await storage.list(namespace, { prefix: "active:" })).toEqual([]); // The turn that was cut off has its end.
    expect((await storage.get(namespace, key))?.value).toEqual(garbage);
    expect(healthOf(world)?.first).toContain(key);
  });
}

test("[set-aside] the steps and the audit of a conversation leave a damaged one out, and go on behind it", async () => {
  const { storage, id } = await lose();
  await damage(storage, `step:${id}:`, 0);
  await using world = await createWorld({ storage, prompts: [] });
  await world.turn(id, "four");
  const all = await world.records.steps(id, { limit: 100 });
  const paged: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await world.records.steps(id, { limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    paged.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  const audit = await world.records.audit(id, { limit: 100 });

  expect(all.items.length).toBeGreaterThan(1);
  expect(paged).toEqual([...all.items]);
  expect(audit.items.map((step) => step.id)).toEqual(all.items.map((step) => step.id));
});

test("[set-aside] a turn that has not ended, and is damaged, is reported, and what comes behind it runs", async () => {
  const { storage, id } = await lose();
  const key = await damage(storage, "active:", 0);
  await using world = await createWorld({ storage, prompts: [] });
  const events = await world.turn(id, "four");

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(world.requests.map(({ messages }) => messages.at(-1)?.parts)).toMatchObject([
    [{ text: "three" }],
    [{ text: "four" }],
  ]);
  expect((await storage.get(namespace, key))?.value).toEqual(garbage);
  expect(healthOf(world)?.first).toContain(key);
});
