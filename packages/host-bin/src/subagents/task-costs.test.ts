import type { ConversationId, TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import type { HostWorld } from "../testing/host-world.ts";
import { createSubagentsWorld, giving, outcomes, saying } from "./testing/subagents-world.ts";

/** Each call uses 25 tokens, at a dollar each. */
const provider = ", models.test.prices = { input = 1000000, output = 1000000 }";

async function turn(world: HostWorld, id: ConversationId, maxCost: number): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of world.client.sendTurn(id, { input: "go", maxCost })) events.push(event);
  return events;
}

test("a turn's cost limit counts its own tasks only and applies within each", async () => {
  await using world = await createSubagentsWorld({ provider });
  const id = await world.createConversation();
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
