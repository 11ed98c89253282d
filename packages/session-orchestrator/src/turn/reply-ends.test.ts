import type { ConversationId, FinishReason, Message, TurnEvent } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { call, collect, createWorld, say, type World } from "../testing/test-world.ts";
import { linesFrom } from "../testing/archive.ts";
import { newTool } from "../testing/new-tool.ts";

function ending(reply: AsyncIterable<ModelEvent>, finishReason: FinishReason) {
  return async function* (): AsyncGenerator<ModelEvent> {
    for await (const event of reply) yield event.type === "finish" ? { ...event, finishReason } : event;
  };
}

async function endsOf(world: World, id: ConversationId): Promise<readonly (Message["turnEnd"] | "none")[]> {
  const { items } = await world.records.messages(id, { limit: 100 });
  return items.map(({ turnEnd }) => turnEnd ?? "none");
}

const reasons = ["length", "content-filter"] as const;

test("a truncated or filtered reply completes its turn with a stored cutReason", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(...reasons.map((reason) => ending(say("half"), reason)));

  const ends = [await world.turn(id, "one"), await world.turn(id, "two"), await world.turn(id, "three")].map(
    (events) => events.at(-1),
  );

  expect(ends.slice(0, 2)).toMatchObject(reasons.map((cutReason) => ({ status: "completed", cutReason })));
  expect(ends.at(-1)).not.toHaveProperty("cutReason");
  const stored = reasons.flatMap((cutReason) => ["none" as const, { status: "completed" as const, cutReason }]);
  expect(await endsOf(world, id)).toEqual([...stored, "none", "none"]);
  expect(JSON.stringify(world.requests)).not.toContain("cutReason");
});

test("fork, export and import keep the cutReason", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one", ending(say("half"), "length"));
  const fork = await world.conversations.fork(id, {});
  const lines = await collect(world.conversations.exportLines(id));
  await using other = await createWorld();
  const imported = await other.conversations.importLines(linesFrom(lines));

  const ends = ["none" as const, { status: "completed" as const, cutReason: "length" as const }];
  expect(await endsOf(world, fork.id)).toEqual(ends);
  expect(await endsOf(other, imported.id)).toEqual(ends);
});

test("only the last reply of a turn determines the turn's cutReason", async () => {
  await using world = await createWorld({ tools: [newTool("note", { approval: "allow" })] });
  const { id } = await world.conversations.create({});
  const calling = call({ toolCallId: "1", name: "note", input: "{}" });
  world.scripts.push(ending(calling, "length"), () => say("whole"));

  expect((await world.turn(id, "go")).at(-1)).not.toHaveProperty("cutReason");
});

test("valid JSON at the output limit is complete; a filtered answer fails the turn", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(ending(say("{}"), "length"), ending(say("I cannot help with that"), "content-filter"));
  const schema = { type: "object" };

  const ask = async (input: string): Promise<readonly TurnEvent[]> => {
    return world.turn(id, input, { schema });
  };
  const fits = await ask("one");
  const refused = await ask("two");
  const { items } = await world.records.messages(id, { limit: 10 });

  expect(fits.at(-1)).toMatchObject({ status: "completed" });
  expect(fits.at(-1)).not.toHaveProperty("cutReason");
  expect(refused.at(-1)).toMatchObject({ status: "failed", error: { code: "REPLY_REFUSED" } });
  expect(items.at(-1)).toMatchObject({
    parts: [{ text: "I cannot help with that" }],
    turnEnd: { status: "failed" },
  });
  expect(world.requests).toHaveLength(2);
});
