import { expect, test } from "bun:test";
import { createSubagentsWorld, giving, outcomes, saying, tasksOf, sentBodies } from "./testing/subagents-world.ts";

const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
const task = { task: "Count", schema };

test("an answer with a schema is requested as JSON and returned verbatim", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving(task), saying('```json\n{"count": 3}\n```'), saying("Three"));

  expect(outcomes(await world.turn(await world.createConversation(), "go"))).toEqual(['{"count": 3}']);
  expect(sentBodies(world)[1]?.messages.at(-1)?.content).toStartWith(
    "Count\n\nYour last message is read by a program",
  );
  expect(sentBodies(world)[1]?.messages.at(-1)?.content).toEndWith(JSON.stringify(schema));
});

test("a mismatched answer is requested once more in the same conversation with the error", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving(task), saying('{"count":"three"}'), saying('{"count":3}'), saying("Three"));

  const events = await world.turn(await world.createConversation(), "go");

  expect(outcomes(events)).toEqual(['{"count":3}']);
  expect(tasksOf(events)).toHaveLength(1);
  const again = sentBodies(world)[2]?.messages ?? [];
  expect(again.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(again.at(-1)?.content).toContain('"count"');
});

test("a second mismatch is an error, and an invalid schema starts no task", async () => {
  await using world = await createSubagentsWorld();
  world.model.enqueue(giving(task), saying("three"), saying("3, I said"), saying("Then not"));
  world.model.enqueue(giving({ task: "Count", schema: { type: "colour" } }), saying("Then not"));
  const id = await world.createConversation();

  const first = await world.turn(id, "go");
  const second = await world.turn(id, "again");

  expect(outcomes(first)).toEqual([
    expect.stringContaining("ERROR The task's answer does not fit the schema, twice"),
  ]);
  expect(outcomes(second)).toEqual([expect.stringContaining('ERROR Cannot use "schema"')]);
  expect(tasksOf(second)).toEqual([]);
});
