import { expect, test } from "bun:test";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { call, createWorld, say, taking, type World } from "../testing/test-world.ts";

const prices = { input: 1_000_000, output: 1_000_000, cacheRead: null, cacheWrite: null };

async function turn(world: World, id: ConversationId, maxCost: number): Promise<readonly TurnEvent[]> {
  return world.turn(id, "go", { maxCost });
}

test("a turn with maxCost starts no model call after reaching the limit", async () => {
  await using world = await createWorld({ prices });
  const { id } = await world.conversations.create({});
  const again = () => taking(10, call({ toolCallId: crypto.randomUUID(), name: "x", input: "{}" }));
  world.scripts.push(again, again, again);

  const events = await turn(world, id, 15);

  const message = "The turn has cost $20.0000, and may cost $15: no other model call begins";
  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "MAX_COST", message } });
  expect(world.requests).toHaveLength(2);
});

test("earlier turns do not count, and the last call may exceed the limit", async () => {
  await using world = await createWorld({ prices });
  const { id } = await world.conversations.create({});
  world.scripts.push(
    () => taking(50, say("one")),
    () => taking(50, say("two")),
  );

  const ends = [await turn(world, id, 15), await turn(world, id, 15)].map((events) => events.at(-1));

  expect(ends).toMatchObject([{ status: "completed" }, { status: "completed" }]);
});

test("a turn with maxCost is rejected before sending when the price is unknown", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});

  const events = await turn(world, id, 1);

  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "PRICE_UNKNOWN" } });
  expect(world.requests).toEqual([]);
});

test("a turn with maxCost continues without reported cache writes, despite their price", async () => {
  await using world = await createWorld({ prices: { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 2 } });
  const { id } = await world.conversations.create({});
  world.scripts.push(() => taking(10, call({ toolCallId: "1", name: "x", input: "{}" })));

  const events = await turn(world, id, 1);

  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests).toHaveLength(2);
});

test("a turn with maxCost names the count that its endpoint did not report", async () => {
  await using world = await createWorld({ prices });
  const { id } = await world.conversations.create({});
  const none = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  world.scripts.push(async function* () {
    for await (const event of call({ toolCallId: "1", name: "x", input: "{}" }))
      yield event.type === "finish" ? { ...event, usage: none } : event;
  });

  const events = await turn(world, id, 1);

  const message = expect.stringContaining('"test/model" answered without its token counts');
  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "PRICE_UNKNOWN", message } });
});
