import type { ConversationId, Message } from "@incipit/schema";
import { expect, test } from "bun:test";
import { summaryOpening } from "../compaction/compaction-prompt.ts";
import { createWorld, outcomeOf, say, stall, taking, until, type World } from "../testing/test-world.ts";

async function messagesOf(world: World, id: ConversationId): Promise<readonly Message[]> {
  return (await world.records.messages(id, { limit: 100 })).items;
}

test("fork continues after a compaction without anything to compact", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const refused = await outcomeOf(world.conversations.compact(id));

  const { status } = await world.conversations.get(id);
  const fork = await world.conversations.fork(id, {});

  expect(refused).toMatchObject({ code: "NOTHING_TO_COMPACT" });
  expect(status).toBe("idle");
  expect(fork.forkedFrom).toEqual({ conversationId: id, messageId: null });
});

test("fork without a point starts with the summary of a compaction in the running turn", async () => {
  await using world = await createWorld({ contextWindow: 1_000, prompts: ["old", "fresh"] });
  const { id } = await world.ask(
    "one",
    () => taking(900, say("answer")),
    () => say("SUMMARY"),
    stall,
  );
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "two" });
  await until(world.conversations.follow(id, { afterSeq, turnId }), "text-delta");

  const fork = await world.conversations.fork(id, {});

  const messages = await messagesOf(world, fork.id);
  expect(messages.map(({ parts }) => parts)).toEqual([[{ type: "text", text: `${summaryOpening}\n\nSUMMARY` }]]);
  await world.conversations.stop(id);
});

test("fork waits for a compaction within a turn, but not for the turn", async () => {
  await using world = await createWorld({ contextWindow: 1_000, prompts: ["old", "fresh"] });
  const { id } = await world.conversations.create({});
  const released = Promise.withResolvers<void>();
  world.scripts.push(
    () => taking(900, say("answer")),
    async function* slow() {
      await released.promise;
      yield* say("SUMMARY");
    },
    stall,
  );
  await world.turn(id, "one");
  const { afterSeq } = await world.conversations.send(id, { input: "two" });
  await until(world.conversations.follow(id, { afterSeq }), "compaction-start");
  const forking = world.conversations.fork(id, {});
  released.resolve();
  await until(world.conversations.follow(id, { afterSeq }), "text-delta");

  const { epoch } = await world.conversations.get((await forking).id);

  expect(epoch).toBe(1);
  expect(await world.conversations.get(id)).toMatchObject({ epoch: 2, status: "running" });
  await world.conversations.stop(id);
});

test("fork without a prompt builder builds its prompt once one is available", async () => {
  await using world = await createWorld({ prompts: ["first", "second"] });
  const { id } = await world.ask("one");
  await world.kernel.unload("test.prompts");
  const fork = await world.conversations.fork(id, {});
  await world.kernel.load("test.prompts");

  await world.turn(fork.id, "two");

  expect(world.requests.at(-1)?.systemPrompt).toEqual(["first"]);
});

test("fork compares the URL with its source's request, unless redacted", async () => {
  const firstDifference = async (urls: readonly [string, string], secrets: readonly string[]): Promise<unknown> => {
    const settings = { secrets };
    const before = await createWorld({ settings, modelUrl: urls[0] });
    const { id } = await before.ask("one");
    await before[Symbol.asyncDispose]();
    await using world = await createWorld({ storage: before.storage, settings, modelUrl: urls[1] });
    const fork = await world.conversations.fork(id, {});
    await world.turn(fork.id, "two");
    return (await world.records.steps(fork.id, { limit: 1 })).items[0]?.firstDifference;
  };
  const other = ["https://a.test/planted-secret-1", "https://b.test/planted-secret-1"] as const;

  expect(await firstDifference([other[0], other[0]], [])).toBe(null);
  expect(await firstDifference(other, [])).toBe("url");
  expect(await firstDifference([other[0], other[0]], ["planted-secret-1"])).toBe(null);
});
