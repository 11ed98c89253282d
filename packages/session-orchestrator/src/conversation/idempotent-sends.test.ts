import type { ConversationId } from "@incipit/schema";
import { expect, test } from "bun:test";
import { collect, createWorld, outcomeOf, stall, until, type World } from "../testing/test-world.ts";
import { FullableStorage } from "../testing/hooked-storage.ts";

const idempotencyKey = "key \u0000 é";

async function userTexts(world: World, id: ConversationId): Promise<readonly unknown[]> {
  const { items } = await world.records.messages(id, { limit: 100 });
  return items.filter(({ role }) => role === "user").map(({ parts }) => parts);
}

test("send with a used key returns the original turn, also after a restart", async () => {
  const first = await createWorld();
  const { id } = await first.ask("before");
  const sent = await first.conversations.send(id, { input: "one" }, { idempotencyKey });
  const events = await collect(first.conversations.follow(id, sent));
  const again = await first.conversations.send(id, { input: "one" }, { idempotencyKey });
  await first.turn(id, "after");
  await first.kernel.close();

  await using world = await createWorld({ storage: first.storage });
  const restarted = await world.conversations.send(id, { input: "one" }, { idempotencyKey });

  expect([again, restarted]).toEqual([sent, sent]);
  expect(await collect(world.conversations.follow(id, restarted))).toEqual([...events]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(await userTexts(world, id)).toHaveLength(3);
  expect(world.requests).toEqual([]);
});

test("[never-lost] send stores its key with the turn, so a retry after a crash finds it", async () => {
  const lost = await createWorld();
  const { id } = await lost.conversations.create({});
  lost.scripts.push(stall);
  const running = await lost.conversations.send(id, { input: "one" }, { idempotencyKey: "1" });
  const queued = await lost.conversations.send(id, { input: "two" }, { idempotencyKey: "2" });

  await using world = await createWorld({ storage: lost.storage });
  const again = [
    await world.conversations.send(id, { input: "one" }, { idempotencyKey: "1" }),
    await world.conversations.send(id, { input: "two" }, { idempotencyKey: "2" }),
  ];
  const ends = await Promise.all(
    again.map(async (sent) => (await collect(world.conversations.follow(id, sent))).at(-1)),
  );

  expect(again).toEqual([running, queued]);
  expect(ends).toMatchObject([{ status: "interrupted" }, { status: "completed" }]);
  expect(await userTexts(world, id)).toHaveLength(2);
});

test("concurrent sends with one key start one turn", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const send = (): ReturnType<typeof world.conversations.send> =>
    world.conversations.send(id, { input: "one" }, { idempotencyKey });
  const sent = await Promise.all(Array.from({ length: 20 }, send));
  await collect(world.conversations.follow(id, sent[0] ?? {}));

  expect(new Set(sent.map(({ turnId }) => turnId)).size).toBe(1);
  expect(world.requests).toHaveLength(1);
});

test("send rejects a key reused for another request in the same conversation", async () => {
  await using world = await createWorld();
  const [a, b] = [await world.conversations.create({}), await world.conversations.create({})];
  const sends = [{ input: "one" }, { input: "two" }, { input: "one", model: "test/other" }].map((request) =>
    outcomeOf(world.conversations.send(a.id, request, { idempotencyKey })),
  );

  const conflict = { code: "IDEMPOTENCY_CONFLICT" };
  expect(await Promise.all(sends)).toMatchObject([{ afterSeq: 0 }, conflict, conflict]);
  await world.conversations.send(b.id, { input: "two" }, { idempotencyKey });
  await until(world.conversations.follow(a.id, { afterSeq: 0 }), "turn-end");
  expect(await userTexts(world, a.id)).toHaveLength(1);
});

test("send that fails to store leaves its key unused", async () => {
  const full = new FullableStorage(({ key }) => key.startsWith("idempotent-send:"));
  full.isFull = true;
  await using world = await createWorld({ storage: full.driver });
  const { id } = await world.conversations.create({});
  const refused = await outcomeOf(world.conversations.send(id, { input: "one" }, { idempotencyKey }));
  full.isFull = false;

  const sent = await world.conversations.send(id, { input: "two" }, { idempotencyKey });

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect((await collect(world.conversations.follow(id, sent))).at(-1)).toMatchObject({ status: "completed" });
});
