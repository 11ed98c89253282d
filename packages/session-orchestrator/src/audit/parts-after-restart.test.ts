import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { call, createWorld, say } from "../testing/test-world.ts";
import { allowedTool } from "../testing/new-tool.ts";

test("audit compares parts when requests are not recorded, across a restart", async () => {
  const storage = createMemoryStorage();
  const settings = { records: { requests: false } };
  let id: ConversationId;
  {
    await using before = await createWorld({ storage, prompts: ["p"], settings });
    ({ id } = await before.conversations.create({}));
    await before.turn(id, "one");
  }

  await using world = await createWorld({ storage, prompts: [], settings });
  await world.turn(id, "two");
  await world.turn(id, "three", { model: "test/other" });
  const { items } = await world.records.audit(id, { limit: 100 });

  expect(items.map(({ verdict, share, reason }) => [verdict, share, reason])).toEqual([
    ["first", null, "first-step"],
    ["held", 1, null],
    ["broken", 0, "model-changed"],
  ]);
  expect(items[1]?.prefix).toMatchObject({ measure: "parts", difference: null });
});

test("audit matches every kind of message by hash after a restart", async () => {
  const storage = createMemoryStorage();
  const settings = { records: { requests: false } };
  const metadata = { vendor: { z: 1, a: { y: "\u00e9", b: [2, { d: 1, c: 2 }] } } };
  const tool = allowedTool("look", async () => "seen \u{1F389}");
  const image = {
    type: "file",
    mediaType: "image/png",
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    filename: "a.png",
  } as const;
  let id: ConversationId;
  {
    await using before = await createWorld({ storage, prompts: ["p"], settings, tools: [tool] });
    ({ id } = await before.conversations.create({}));
    before.scripts.push(
      async function* thinks() {
        yield { type: "reasoning-start", partId: "r" };
        yield { type: "reasoning-delta", partId: "r", text: "Hm" };
        yield { type: "reasoning-end", partId: "r", metadata };
        yield { type: "text-start", partId: "t" };
        yield { type: "text-delta", partId: "t", text: "Let me look" };
        yield { type: "text-end", partId: "t", metadata };
        yield { type: "tool-call", toolCallId: "1", name: "look", input: '{"b":1,"a":2}', metadata };
        yield* call({ toolCallId: "2", name: "missing", input: "no JSON" });
      },
      () => say("Done"),
    );
    await before.turn(id, "one");
    await before.turn(id, [{ type: "text", text: "two" }, image]);
    await before.turn(id, "three");
  }

  await using world = await createWorld({ storage, prompts: [], settings, tools: [tool] });
  const { id: forkId } = await world.conversations.fork(id, {});
  await world.turn(id, "four");
  await world.turn(forkId, "four");
  const verdicts = await Promise.all(
    [id, forkId].map(async (each) => {
      const { items } = await world.records.audit(each, { limit: 100 });
      return items.map(({ verdict, prefix }) => `${verdict} ${prefix?.measure}`);
    }),
  );

  expect(verdicts).toEqual([["first parts", "held body", "held body", "held parts"], ["held parts"]]);
});
