import type { ConversationId } from "@incipit/schema";
import { modelCallsHandle, modelProvidersPoint, type ModelProvider } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { collect, createWorld, outcomeOf, say, stall, until, type World } from "../testing/test-world.ts";

const late: ModelProvider = { id: "late", models: ["one"], problem: null, stream: () => say("I am late") };

function addLate(world: World): Promise<void> {
  return world.add("acme.late", (host) => host.contribute(modelProvidersPoint, late));
}

async function loseWithQueue(): Promise<{
  readonly storage: World["storage"];
  readonly id: ConversationId;
}> {
  const storage = createMemoryStorage();
  const lost = await createWorld({ storage });
  const { id } = await lost.begin("text-delta", stall, { input: "one" });
  await lost.conversations.send(id, { input: "two" });
  return { storage, id };
}

test("HostStart delays queued turns until the host has started, and they can be removed", async () => {
  const { storage, id } = await loseWithQueue();
  await using world = await createWorld({ storage, isStarting: true });
  const third = await world.conversations.send(id, { input: "three" });
  const queued = await world.conversations.queue(id);
  await world.conversations.removeQueued(id, queued[0]?.turnId ?? third.turnId);

  expect(queued.map(({ input }) => input)).toEqual(["two", "three"]);
  expect(world.requests).toEqual([]);
  world.kernel.finishStart();
  await collect(world.conversations.follow(id, third));
  expect(world.requests.map(({ messages }) => messages.at(-1)?.parts)).toEqual([[{ type: "text", text: "three" }]]);
});

test("HostStart delays a message until its provider loads, or rejects it after the start", async () => {
  await using world = await createWorld({ isStarting: true });
  const { id } = await world.conversations.create({});
  const sent = world.conversations.send(id, { input: "one", model: "late/one" });
  const refused = outcomeOf(world.conversations.send(id, { input: "two", model: "never/one" }));
  await addLate(world);
  world.kernel.finishStart();

  const { turnId } = await sent;
  const events = await world.ended(id, turnId);
  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(await refused).toMatchObject({ code: "MODEL_UNKNOWN" });
});

test("HostStart delays a stateless call until its provider loads", async () => {
  await using world = await createWorld({ isStarting: true });
  const messages = [{ role: "user", parts: [{ type: "text", text: "one" }] }] as const;
  const { signal } = new AbortController();
  const calls = world.service(modelCallsHandle);
  const called = collect(calls.call({ model: "late/one", messages, tools: [] }, { signal }));
  await addLate(world);
  world.kernel.finishStart();

  expect((await called).at(-1)).toMatchObject({ type: "finish" });
});

test("HostStart proceeds after its timeout", async () => {
  await using world = await createWorld({ isStarting: true });
  const { id } = await world.conversations.create({});
  const sent = await world.conversations.send(id, { input: "one" });
  await until(world.conversations.follow(id, { afterSeq: 0 }), "turn-start");
  await world.clock.advance(120_000);

  expect((await collect(world.conversations.follow(id, sent))).at(-1)).toMatchObject({ status: "completed" });
});

test("HostStart allows a waiting turn to be stopped, and the host to close", async () => {
  const world = await createWorld({ isStarting: true });
  const { id } = await world.conversations.create({});
  const first = await world.conversations.send(id, { input: "one" });
  await world.conversations.stop(id);
  const second = await world.conversations.send(id, { input: "two" });
  const ends = Promise.all(
    [first, second].map(async (sent) => (await collect(world.conversations.follow(id, sent))).at(-1)),
  );
  await world[Symbol.asyncDispose]();

  expect(await ends).toMatchObject([{ status: "cancelled" }, { status: "interrupted" }]);
  expect(world.requests).toEqual([]);
});
