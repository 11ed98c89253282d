import { conversationIdSchema } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SchedulesWorld } from "./schedules-world.ts";

test("the heartbeat sends HEARTBEAT.md to a model on schedule, in its own conversation", async () => {
  await using world = await SchedulesWorld.start({ heartbeat: {} });

  await world.minutes(61);

  expect(world.asked).toEqual(
    ["00:30", "01:00"].map(
      (time) => `[HEARTBEAT] 2026-01-01 ${time} (UTC)\n\nHEARTBEAT.md:\n\n- Look at the disk.`,
    ),
  );
  const wakes = await world.wakes();
  expect(wakes).toMatchObject([
    { dueAt: "2026-01-01T00:30:00.000Z", outcome: "quiet", reply: "HEARTBEAT_OK", tokens: 10 },
    { dueAt: "2026-01-01T01:00:00.000Z", outcome: "quiet", reply: "HEARTBEAT_OK", tokens: 10 },
  ]);
  expect(new Set(wakes.map(({ conversationId }) => conversationId)).size).toBe(1);
  expect(await world.heartbeat.get()).toMatchObject({
    enabled: true,
    nextAt: "2026-01-01T01:30:00.000Z",
    lastAlert: null,
    tokensToday: 20,
  });
});

test("a reply with other text is a complete alert, and repeated alerts are marked", async () => {
  const long = `The disk is full. HEARTBEAT_OK was yesterday.\n${"Look. ".repeat(10_000)}`;
  const replies = ["Cleaned up.\nHEARTBEAT_OK", long, long, "HEARTBEAT_OK", "Another one"];
  await using world = await SchedulesWorld.start({ heartbeat: {}, answer: () => replies.shift() ?? "" });

  await world.minutes(181);

  expect((await world.wakes()).map(({ outcome, repeated, reply }) => [outcome, repeated, reply])).toEqual([
    ["quiet", false, "Cleaned up.\nHEARTBEAT_OK"],
    ["alert", false, long],
    ["alert", true, long],
    ["quiet", false, "HEARTBEAT_OK"],
    ["alert", false, "Another one"],
    ["failed", false, ""],
  ]);
  expect((await world.heartbeat.get()).lastAlert).toMatchObject({ reply: "Another one" });
});

for (const [what, file, outcome] of [
  ["is missing", null, "empty"],
  ["is empty", "", "empty"],
  ["has headings and empty items alone", "# Heartbeat\n\n- [ ]\n<!-- later -->\n", "empty"],
  ["has a megabyte", "x".repeat(1_000_000), "failed"],
] as const)
  test(`no model is called when HEARTBEAT.md ${what}, and repeats share one wake`, async () => {
    await using world = await SchedulesWorld.start({ heartbeat: {}, file });

    await world.minutes(181);

    expect(world.asked).toEqual([]);
    expect(await world.wakes()).toMatchObject([{ outcome, dueAt: "2026-01-01T03:00:00.000Z", turnId: null }]);
    expect((await world.conversations.list({ limit: 10 })).items).toEqual([]);
  });

test("heartbeat_respond decides whether to notify, regardless of the reply's end", async () => {
  const respond = (input: string, say: string) => ({ call: { name: "heartbeat_respond", input }, say });
  const replies = [
    respond('{"notify":false}', "I looked at the disk, and it has room."),
    respond('{"notify":true}', "The disk is full.\nHEARTBEAT_OK"),
    respond('{"notify":"maybe"}', "HEARTBEAT_OK"),
    respond('{"notify":true}', ""),
  ];
  await using world = await SchedulesWorld.start({
    heartbeat: {},
    answer: () => replies.shift() ?? "HEARTBEAT_OK",
  });

  await world.minutes(151);

  expect((await world.wakes()).map(({ outcome, reply }) => [outcome, reply])).toEqual([
    ["quiet", "I looked at the disk, and it has room."],
    ["alert", "The disk is full.\nHEARTBEAT_OK"],
    ["quiet", "HEARTBEAT_OK"],
    ["failed", ""],
    ["quiet", "HEARTBEAT_OK"],
  ]);
});

test("heartbeat_respond exists only in heartbeat conversations and fails without an active wake", async () => {
  let isPerson = false;
  await using world = await SchedulesWorld.start({
    heartbeat: {},
    answer: () =>
      isPerson ? { call: { name: "heartbeat_respond", input: '{"notify":true}' }, say: "Hello" } : "HEARTBEAT_OK",
  });
  await world.minutes(31);
  const { conversationId } = await world.heartbeat.get();
  if (conversationId === null) throw new Error("It has no conversation");
  isPerson = true;
  const other = await world.conversations.create({});
  const results = await world.toolResults(conversationId, "Hi");
  const elsewhere = await world.toolResults(other.id, "Hi");

  expect(results).toEqual(["No heartbeat is under way here: answer as usual"]);
  expect(elsewhere.join()).toContain("heartbeat_respond");
  const { signal } = new AbortController();
  expect((await world.conversations.tools(other.id, { signal })).tools.map(({ name }) => name)).toEqual([]);
});

test("a wake during another turn of its conversation is skipped and recorded", async () => {
  const going = Promise.withResolvers<string>();
  let count = 0;
  await using world = await SchedulesWorld.start({
    heartbeat: {},
    answer: () => ((count += 1) === 2 ? going.promise : "HEARTBEAT_OK"),
  });
  await world.minutes(59);
  const { conversationId } = await world.heartbeat.get();
  if (conversationId === null) throw new Error("It has no conversation");
  await world.conversations.send(conversationId, { input: "Hello" });
  await world.minutes(1);
  const skipped = (await world.wakes()).at(-1);
  going.resolve("Hi");
  await world.minutes(30);

  expect(skipped).toMatchObject({ outcome: "busy", error: { code: "CONVERSATION_BUSY" }, turnId: null });
  expect((await world.wakes()).at(-1)).toMatchObject({ outcome: "quiet", dueAt: "2026-01-01T01:30:00.000Z" });
});

test("the heartbeat's model does not apply to a configured conversation", async () => {
  const storage = createMemoryStorage();
  let conversation = "";
  {
    await using world = await SchedulesWorld.start({ storage });
    conversation = (await world.conversations.create({ model: "test/model" })).id;
  }
  await using world = await SchedulesWorld.start({ storage, heartbeat: { conversation, model: "test/other" } });

  await world.minutes(31);

  expect((await world.wakes()).map(({ outcome }) => outcome)).toEqual(["quiet"]);
  const { items } = await world.records.steps(conversationIdSchema.parse(conversation), { limit: 10 });
  expect(items.map(({ model }) => model)).toEqual(["test/model"]);
});

test("a wake outside of the active hours is skipped with a line in the log", async () => {
  await using world = await SchedulesWorld.start({
    heartbeat: { every: "24h", active_hours: ["12:00", "12:05"] },
  });

  await world.minutes(73 * 60);

  expect(await world.wakes()).toEqual([]);
  expect(world.logs).toContain("warn Skipped a due time outside of the active hours");
});

test("the heartbeat does not replace a configured conversation", async () => {
  const conversation = "019b76da-a800-70e5-b644-6b4632997cf0";
  await using world = await SchedulesWorld.start({ heartbeat: { conversation } });

  await world.minutes(31);

  expect(await world.wakes()).toMatchObject([{ outcome: "failed", error: { code: "CONVERSATION_UNKNOWN" } }]);
  expect((await world.conversations.list({ limit: 10 })).items).toEqual([]);
});

test("missed wakes are skipped, and the heartbeat keeps its rhythm", async () => {
  const before = await SchedulesWorld.start({ heartbeat: {} });
  await before[Symbol.asyncDispose]();
  await before.clock.advance(5.25 * 3_600_000);

  await using world = await SchedulesWorld.start({ heartbeat: {}, storage: before.storage, clock: before.clock });
  await world.rest();
  await world.minutes(16);

  expect((await world.wakes()).map(({ outcome, dueAt }) => [outcome, dueAt])).toEqual([
    ["missed", "2026-01-01T05:00:00.000Z"],
    ["quiet", "2026-01-01T05:30:00.000Z"],
  ]);
});

test("a user can wake the heartbeat immediately, but not concurrently", async () => {
  const going = Promise.withResolvers<string>();
  await using world = await SchedulesWorld.start({ heartbeat: {}, answer: () => going.promise });
  const { id, outcome } = await world.heartbeat.wake();
  const second = await world.heartbeat.wake().then(
    () => "was taken",
    (error: unknown) => error,
  );
  going.resolve("All is well.\nHEARTBEAT_OK");
  await world.rest();

  expect(outcome).toBeNull();
  expect(second).toMatchObject({ code: "CONVERSATION_BUSY" });
  expect(await world.wakes()).toMatchObject([{ id, outcome: "quiet" }]);
});

test("a time during a wake is skipped, and the next one is on time", async () => {
  const going = Promise.withResolvers<string>();
  const answers = [going.promise];
  await using world = await SchedulesWorld.start({
    heartbeat: { every: "1m" },
    answer: () => answers.shift() ?? "HEARTBEAT_OK",
  });
  await world.clock.advance(60_000);
  while (world.asked.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  await world.clock.advance(60_000);
  while ((await world.wakes()).length < 2) await new Promise<void>((resolve) => setImmediate(resolve));
  going.resolve("HEARTBEAT_OK");
  await world.rest();
  await world.minutes(1);

  expect((await world.wakes()).map(({ outcome, dueAt }) => [outcome, dueAt.slice(11, 16)])).toEqual([
    ["quiet", "00:01"],
    ["busy", "00:02"],
    ["quiet", "00:03"],
  ]);
});

test("wakes of a day share a conversation, and the next day gets another", async () => {
  await using world = await SchedulesWorld.start({ heartbeat: { every: "8h" } });

  await world.minutes(2 * 1_440 + 1);

  const days = (await world.wakes()).map((wake) => [wake.dueAt.slice(0, 13), wake.conversationId]);
  const { items } = await world.conversations.list({ limit: 10 });
  const [first = null, second = null, third = null] = items.map(({ id }) => id).toReversed();
  expect(days).toEqual([
    ["2026-01-01T08", first],
    ["2026-01-01T16", first],
    ["2026-01-02T00", second],
    ["2026-01-02T08", second],
    ["2026-01-02T16", second],
    ["2026-01-03T00", third],
  ]);
});

test("all wakes share one conversation on every day when so configured", async () => {
  await using world = await SchedulesWorld.start({ heartbeat: { every: "8h", conversation: "own" } });

  await world.minutes(2 * 1_440 + 1);

  expect((await world.conversations.list({ limit: 10 })).items).toHaveLength(1);
});

test("each wake gets its own conversation when so configured, and quiet ones are archived", async () => {
  const replies = ["HEARTBEAT_OK", "The disk is full.", "HEARTBEAT_OK"];
  await using world = await SchedulesWorld.start({
    heartbeat: { conversation: "fresh" },
    answer: () => replies.shift() ?? "",
  });

  await world.minutes(91);

  const wakes = await world.wakes();
  const listed = (await world.conversations.list({ limit: 10 })).items;
  const all = (await world.conversations.list({ limit: 10, archived: "all" })).items;
  expect(new Set(wakes.map(({ conversationId }) => conversationId)).size).toBe(3);
  expect(listed.map(({ id }) => id)).toEqual(
    wakes.flatMap(({ outcome, conversationId }) =>
      outcome === "alert" && conversationId !== null ? [conversationId] : [],
    ),
  );
  expect(all).toHaveLength(3);
});
