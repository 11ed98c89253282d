import { expect, test } from "bun:test";
import type { ConversationId, JsonObject, TurnEvent } from "@incipit/schema";
import { createWorld, outcomeOf, say, type World } from "../testing/test-world.ts";

const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };

async function turn(world: World, id: ConversationId): Promise<readonly TurnEvent[]> {
  return world.turn(id, "Count", { schema });
}

test("a turn with a schema requests JSON from the vendor and accepts a valid answer", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(() => say('{"count":', "3}"));

  const events = await turn(world, id);

  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests.map(({ settings }) => settings)).toEqual([
    { responseFormat: { type: "json", name: "answer", schema } },
  ]);
});

test("an invalid answer is retried once, with its problem and the schema", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(
    () => say("Three"),
    () => say('{"count":3}'),
  );

  const events = await turn(world, id);

  expect(events.at(-1)).toMatchObject({ status: "completed" });
  const again = world.requests[1]?.messages ?? [];
  expect(again.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(again.at(-1)?.parts).toMatchObject([{ text: expect.stringContaining(JSON.stringify(schema)) }]);
});

test("a second invalid answer fails the turn, and the next turn works", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(
    () => say("Three"),
    () => say('{"count":"three"}'),
  );

  const events = await turn(world, id);
  const next = await world.turn(id, "And now?");

  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "ANSWER_UNFIT" } });
  expect(next.at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests[2]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  expect(world.requests[2]?.settings).toBeUndefined();
});

test("[attack:bounds-doubling-schema] an unusable or expensive schema is rejected before anything is stored", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});

  const defs = Array.from({ length: 40 }, (_, level): readonly [string, JsonObject] => [
    `a${level + 1}`,
    { anyOf: [{ $ref: `#/$defs/a${level}` }, { $ref: `#/$defs/a${level}` }] },
  ]);
  const doubling = { $defs: { a0: { type: "string" }, ...Object.fromEntries(defs) }, $ref: "#/$defs/a40" };
  for (const bad of [{ type: "colour" }, { $ref: "#" }, doubling]) {
    const refused = await outcomeOf(
      world.conversations.send(id, { input: "Count", schema: JSON.parse(JSON.stringify(bad)) }),
    );
    expect(refused).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining('"schema"') });
  }
  expect(world.requests).toEqual([]);
});
