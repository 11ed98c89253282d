import type { ConversationId, TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { createSubagentsWorld, giving, outcomes, saying, type SubagentsWorld } from "./testing/subagents-world.ts";

/** Each call takes 25 tokens, each of which is a dollar. */
const provider = ", models.test.prices = { input = 1000000, output = 1000000 }";

async function turn(world: SubagentsWorld, id: ConversationId, maxCost: number): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of world.client.sendTurn(id, { input: "go", maxCost })) events.push(event);
  return events;
}

test("the bound of a turn in dollars counts its tasks, those of other turns not, and holds in each of them", async () => {
  await using world = await createSubagentsWorld({ provider });
  const id = await world.conversation();
  world.model.enqueue(giving({ task: "First" }), saying("first"), saying("done"));
  const enough = await turn(world, id, 60);
  world.model.enqueue(giving({ task: "First" }), saying("first"));
  const between = await turn(world, id, 50);
  world.model.enqueue(giving({ task: "First" }));
  const within = await turn(world, id, 20);

  expect(enough.at(-1)).toMatchObject({ status: "completed" });
  expect(between.at(-1)).toMatchObject({ status: "failed", error: { code: "MAX_COST" } });
  expect(outcomes(between)).toEqual(["first"]);
  expect(outcomes(within)[0]).toContain("may cost $20");
  expect(within.at(-1)).toMatchObject({ status: "failed", error: { code: "MAX_COST" } });
});
