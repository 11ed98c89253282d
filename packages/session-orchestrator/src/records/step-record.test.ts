import { stepRecordsHandle, type ConversationId, type StepRecord } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { summaryOpening } from "../compaction-prompt.ts";
import { createWorld, fail, say, type World } from "../testing/test-world.ts";

/** The records of all steps. */
async function recordsOf({ kernel, conversations }: World, id: ConversationId): Promise<readonly StepRecord[]> {
  const records = kernel.service(stepRecordsHandle);
  if (records === undefined) throw new Error("There is no service for records");
  const { items } = await conversations.steps(id, { limit: 100 });
  return Promise.all(items.map((step) => records.get(id, step.id)));
}

function textsOf(messages: StepRecord["messages"]): readonly string[] {
  return (messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

test("record has what a step was told and what came of it: of a compaction, the summary", async () => {
  await using world = await createWorld({ prompts: ["p", "q"] });
  const { id } = await world.conversations.create({});
  await world.turn(id, "one");
  world.scripts.push(() => fail("UNAUTHORIZED", false));
  await world.turn(id, "two");
  world.scripts.push(() => fail("UNAUTHORIZED", false));
  await world.conversations.compact(id).catch(() => undefined);
  world.scripts.push(() => say("SUMMARY"));
  await world.conversations.compact(id);
  await world.turn(id, "three");

  const records = await recordsOf(world, id);

  const summary = `${summaryOpening}\n\nSUMMARY`;
  expect(records.map(({ messages, reply }) => [textsOf(messages), reply && textsOf([reply])])).toEqual([
    [["one"], ["Reply 1"]],
    [["one", "Reply 1", "two"], null],
    [["one", "Reply 1"], null],
    [["one", "Reply 1"], [summary]],
    [[summary, "two", "three"], ["Reply 5"]],
  ]);
});

test("record tells the prompt that is kept, also where no request is recorded", async () => {
  await using world = await createWorld({ prompts: ["p"], settings: { records: { requests: false } } });
  const { id } = await world.conversations.create({});
  await world.turn(id, "one");

  expect(await recordsOf(world, id)).toMatchObject([{ systemTexts: ["p"], request: null }]);
});
