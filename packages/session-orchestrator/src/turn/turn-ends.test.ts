import type { ConversationId, Message } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import {
  call,
  callOne,
  collect,
  createWorld,
  ending,
  fail,
  say,
  stall,
  until,
  type World,
} from "../testing/test-world.ts";
import { linesFrom } from "../testing/archive.ts";
import { newTool } from "../testing/new-tool.ts";

async function endsOf(world: World, id: ConversationId): Promise<readonly (Message["turnEnd"] | "none")[]> {
  const { items } = await world.records.messages(id, { limit: 100 });
  return items.map(({ turnEnd }) => turnEnd ?? "none");
}

const reasons = ["length", "content-filter"] as const;

test("a failed turn is marked on its newest message, a completed one is not", async () => {
  await using world = await createWorld();
  const { id } = await world.ask(
    "one",
    () => fail("REFUSED", false),
    () => say("works"),
  );
  await world.turn(id, "two");

  const failed = { status: "failed" as const, error: { code: "REFUSED", message: "It is REFUSED" } };
  expect(await endsOf(world, id)).toEqual([failed, "none", "none"]);
  expect(JSON.stringify(world.requests)).not.toContain("turnEnd");
});

test("a turn stopped during its reply is marked on the partial reply", async () => {
  await using world = await createWorld();
  const { id, turnId, afterSeq } = await world.begin("text-delta", stall, { input: "one" });
  await world.conversations.stop(id);
  await until(world.conversations.follow(id, { afterSeq, turnId }), "turn-end");

  expect(await endsOf(world, id)).toEqual(["none", { status: "cancelled" }]);
});

test("a turn that fails after its tools is marked on their results", async () => {
  await using world = await createWorld({ tools: [newTool("note", { approval: "allow" })] });
  const { id } = await world.ask("go", callOne("note"), () => fail("REFUSED", false));

  const failed = { status: "failed" as const, error: { code: "REFUSED", message: "It is REFUSED" } };
  expect(await endsOf(world, id)).toEqual(["none", "none", failed]);
});

test("an interrupted turn is marked after recovery, with or without a reply", async () => {
  const lost = await createWorld();
  const [silent, shown] = [await lost.conversations.create({}), await lost.conversations.create({})];
  lost.scripts.push((request) => stall(request, ""), stall);
  const first = await lost.conversations.send(silent.id, { input: "one" });
  await until(lost.conversations.follow(silent.id, { afterSeq: 0, turnId: first.turnId }), "step-start");
  const second = await lost.conversations.send(shown.id, { input: "two" });
  await until(lost.conversations.follow(shown.id, { afterSeq: 0, turnId: second.turnId }), "text-delta");
  await using world = await createWorld({ storage: lost.storage });
  for (const { id } of [silent, shown]) await until(world.conversations.follow(id, { afterSeq: 0 }), "turn-end");

  expect(await endsOf(world, silent.id)).toEqual([{ status: "interrupted" }]);
  expect(await endsOf(world, shown.id)).toEqual(["none", { status: "interrupted" }]);
});

test("fork, export and import keep how turns ended", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(
    () => say("works"),
    () => fail("REFUSED", false),
    () => ending(say("half"), "length"),
  );
  for (const input of ["one", "two", "three"]) await world.turn(id, input);
  const failed = { status: "failed" as const, error: { code: "REFUSED", message: "It is REFUSED" } };
  const fork = await world.conversations.fork(id, {});
  const lines = await collect(world.conversations.exportLines(id));
  await using other = await createWorld();
  const imported = await other.conversations.importLines(linesFrom(lines));

  const cut = { status: "completed", cutReason: "length" } as const;
  const ends = ["none", "none", failed, "none", cut] as const;
  expect(await endsOf(world, id)).toEqual([...ends]);
  expect(await endsOf(world, fork.id)).toEqual([...ends]);
  expect(await endsOf(other, imported.id)).toEqual([...ends]);
});

test("a truncated or filtered reply completes its turn with a stored cutReason", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(...reasons.map((reason) => () => ending(say("half"), reason)));

  const ends = [await world.turn(id, "one"), await world.turn(id, "two"), await world.turn(id, "three")].map(
    (events) => events.at(-1),
  );

  expect(ends.slice(0, 2)).toMatchObject(reasons.map((cutReason) => ({ status: "completed", cutReason })));
  expect(ends.at(-1)).not.toHaveProperty("cutReason");
  const stored = reasons.flatMap((cutReason) => ["none" as const, { status: "completed" as const, cutReason }]);
  expect(await endsOf(world, id)).toEqual([...stored, "none", "none"]);
  expect(JSON.stringify(world.requests)).not.toContain("cutReason");
});

test("only the last reply of a turn determines the turn's cutReason", async () => {
  await using world = await createWorld({ tools: [newTool("note", { approval: "allow" })] });
  const { id } = await world.conversations.create({});
  const calling = (): AsyncIterable<ModelEvent> =>
    ending(call({ toolCallId: "1", name: "note", input: "{}" }), "length");
  world.scripts.push(calling, () => say("whole"));

  expect((await world.turn(id, "go")).at(-1)).not.toHaveProperty("cutReason");
});

test("valid JSON at the output limit is complete; a filtered answer fails the turn", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(
    () => ending(say("{}"), "length"),
    () => ending(say("I cannot help with that"), "content-filter"),
  );
  const schema = { type: "object" };

  const fits = await world.turn(id, "one", { schema });
  const refused = await world.turn(id, "two", { schema });
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
