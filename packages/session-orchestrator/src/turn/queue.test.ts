import type { ConversationId, TurnId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, outcomeOf, stall, until, type World } from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";

async function queueThree(world: World): Promise<{
  readonly id: ConversationId;
  readonly running: TurnId;
  readonly queued: readonly [TurnId, TurnId, TurnId];
}> {
  const { id } = await world.conversations.create({});
  world.scripts.push(stall);
  const send = async (input: string): Promise<TurnId> => (await world.conversations.send(id, { input })).turnId;
  return { id, running: await send("one"), queued: [await send("two"), await send("three"), await send("four")] };
}

test("[one-terminal-event] removeQueued cancels a turn, and the others keep their order", async () => {
  await using world = await createWorld();
  const { id, queued } = await queueThree(world);
  const [two, three, four] = queued;
  const before = await world.conversations.queue(id);

  await world.conversations.removeQueued(id, three);
  const left = await world.conversations.queue(id);
  await world.conversations.stop(id);
  const [second, third, fourth] = await Promise.all(queued.map((turnId) => world.ended(id, turnId)));

  expect(before).toEqual([
    { turnId: two, input: "two", position: 1 },
    { turnId: three, input: "three", position: 2 },
    { turnId: four, input: "four", position: 3 },
  ]);
  expect(left.map(({ turnId, position }) => [turnId, position])).toEqual([
    [two, 1],
    [four, 2],
  ]);
  expect(third?.map(({ type }) => type)).toEqual(["turn-queue", "turn-end"]);
  expect([second, third, fourth].map((events) => events?.at(-1))).toMatchObject([
    { status: "completed" },
    { status: "cancelled" },
    { status: "completed" },
  ]);
  expect(JSON.stringify(world.requests.at(-1)?.messages)).not.toContain("three");
  expect(await world.conversations.queue(id)).toEqual([]);
});

test("removeQueued rejects a turn that has started, was removed, or is unknown", async () => {
  await using world = await createWorld();
  const { id, running, queued } = await queueThree(world);
  const [two] = queued;
  const both = await Promise.all(
    [two, two].map((turnId) => outcomeOf(world.conversations.removeQueued(id, turnId))),
  );
  const other = await world.conversations.create({});

  expect(both).toMatchObject([undefined, { code: "TURN_NOT_QUEUED" }]);
  for (const [conversation, turnId] of [
    [id, running],
    [id, two],
    [other.id, queued[1]],
  ] as const)
    expect(await outcomeOf(world.conversations.removeQueued(conversation, turnId))).toMatchObject({
      code: "TURN_NOT_QUEUED",
    });
  expect((await world.ended(id, two)).filter(({ type }) => type === "turn-end")).toHaveLength(1);
});

test("[never-lost] a restart runs queued turns, but not removed ones", async () => {
  const lost = await createWorld();
  const { id, queued } = await queueThree(lost);
  await lost.conversations.removeQueued(id, queued[0]);

  await using world = await createWorld({ storage: lost.storage });
  const ends = await Promise.all(queued.map(async (turnId) => (await world.ended(id, turnId)).at(-1)));

  expect(ends).toMatchObject([{ status: "cancelled" }, { status: "completed" }, { status: "completed" }]);
  expect(world.requests).toHaveLength(2);
});

test("removeQueued blocks the turn while storing; a storage failure keeps its position", async () => {
  const storage = createMemoryStorage();
  let refusal: Promise<never> | undefined;
  const limited = hookedStorage(
    {
      atomic: async (writes) => {
        const isRemoval = writes.some(({ kind, key }) => kind === "delete" && key.startsWith("active:"));
        if (isRemoval) await refusal;
      },
    },
    storage,
  );
  await using world = await createWorld({ storage: limited });
  const { id, queued } = await queueThree(world);
  await until(world.conversations.follow(id, { afterSeq: 0 }), "text-delta");
  refusal = Promise.reject(new Error("the disk is full"));
  refusal.catch(() => undefined); // The failing write may start later.

  const refused = await outcomeOf(world.conversations.removeQueued(id, queued[0]));
  refusal = undefined;
  const left = await world.conversations.queue(id);
  const removed = world.conversations.removeQueued(id, queued[0]);
  await world.conversations.stop(id);
  await removed;
  const ends = await Promise.all(queued.map((turnId) => world.ended(id, turnId)));

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect(left.map(({ turnId }) => turnId)).toEqual([...queued]);
  expect(ends.map((events) => events.filter(({ type }) => type === "turn-end"))).toMatchObject([
    [{ status: "cancelled" }],
    [{ status: "completed" }],
    [{ status: "completed" }],
  ]);
});
