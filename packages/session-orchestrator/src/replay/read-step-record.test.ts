import type { ConversationId, StepRecord } from "@incipit/schema";
import { stepRecordsHandle } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { summaryOpening } from "../compaction/compaction-prompt.ts";
import { createWorld, fail, outcomeOf, say, type World } from "../testing/test-world.ts";
import { listStored } from "../testing/hooked-storage.ts";
import { allowedTool } from "../testing/new-tool.ts";

async function recordsOf(world: World, id: ConversationId): Promise<readonly StepRecord[]> {
  const { items } = await world.records.steps(id, { limit: 100 });
  return Promise.all(items.map((step) => world.service(stepRecordsHandle).get(id, step.id)));
}

function textsOf(messages: StepRecord["messages"]): readonly string[] {
  return (messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

test("record contains a step's messages and reply; for a compaction, the summary", async () => {
  await using world = await createWorld({ prompts: ["p", "q"] });
  const { id } = await world.ask("one");
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

test("record contains the stored prompt without a recorded request", async () => {
  await using world = await createWorld({ prompts: ["p"], settings: { records: { requests: false } } });
  const { id } = await world.ask("one");

  expect(await recordsOf(world, id)).toMatchObject([{ systemTexts: ["p"], request: null }]);
});

test("record lists the tools in the request, without tools that the vendor rejects", async () => {
  const tools = ["a", "b"].map((name) => allowedTool(name));
  await using world = await createWorld({
    tools,
    refusesTool: ({ model, tool }) => (model === "strict" && tool.name === "b" ? "it is refused" : undefined),
  });
  const { id } = await world.ask("one");
  await world.turn(id, "two", { model: "test/strict" });

  const records = await recordsOf(world, id);

  expect(records.map((record) => record.tools?.map(({ name }) => name))).toEqual([["a", "b"], ["a"]]);
});

test("replay stores another model's answer or failure, unless the conversation is deleted", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  const stepId = (await world.records.steps(id, { limit: 1 })).items[0]?.id ?? "";
  const replay = (): Promise<unknown> =>
    outcomeOf(
      world
        .service(stepRecordsHandle)
        .replay(id, stepId, { model: "test/other", signal: new AbortController().signal }),
    );
  world.scripts.push(
    () => say("Another"),
    () => fail("UNAUTHORIZED", false),
    async function* deleted() {
      await world.conversations.delete(id);
      yield* say("Too late");
    },
  );

  const answers = [await replay(), await replay()];
  const kept = await world.service(stepRecordsHandle).replays(id, stepId);
  const late = await replay();

  expect(answers).toMatchObject([
    { replay: { finishReason: "stop", error: null } },
    { replay: { finishReason: null, error: { code: "UNAUTHORIZED" } } },
  ]);
  expect(kept).toHaveLength(2);
  expect(late).toMatchObject({ code: "CONVERSATION_UNKNOWN" });
  expect(await listStored(world.storage, "call")).toEqual([]);
});

test("replay notes the number of redactions in the system prompt", async () => {
  const secrets = ["planted-secret-value-1", "planted-secret-value-2"];
  const notes: (readonly string[])[] = [];
  await using world = await createWorld({ settings: { secrets } });
  const { id } = await world.conversations.create({});
  for (const text of ["Be kind.", `Use ${secrets[0]}.`, `Use ${secrets.join(" or ")}.`]) {
    await world.turn(id, "one", { system: [text] });
    const stepId = (await world.records.steps(id, { limit: 100 })).items.at(-1)?.id ?? "";
    const options = { model: "test/other", signal: new AbortController().signal };
    notes.push((await world.service(stepRecordsHandle).replay(id, stepId, options)).notes);
  }

  expect(notes).toEqual([
    [],
    [expect.stringMatching(/^1 place of the system text/)],
    [expect.stringMatching(/^2 places of the system text/)],
  ]);
});
