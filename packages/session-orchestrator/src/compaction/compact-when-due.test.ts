import { createMemoryStorage } from "@incipit/testkit";
import type { ConversationId, Message, TurnEvent } from "@incipit/schema";
import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { summaryOpening, compactionRequest } from "./compaction-prompt.ts";
import {
  call,
  collect,
  createWorld,
  ending,
  fail,
  say,
  stall,
  taking,
  until,
  type World,
} from "../testing/test-world.ts";
import { allowedTool } from "../testing/new-tool.ts";

const window = { contextWindow: 1_000, tools: [allowedTool("look", async () => "42")] } as const;
const look = (toolCallId: string): AsyncGenerator<ModelEvent> => call({ toolCallId, name: "look", input: "{}" });

async function filled(world: World, tokens: number): Promise<ConversationId> {
  const { id } = await world.ask("one", () => taking(tokens, say("answer")));
  return id;
}

function told(request: ModelRequest | undefined): readonly string[] {
  return (request?.messages ?? []).map(({ parts: [part] }) =>
    part?.type === "text" ? part.text : (part?.type ?? ""),
  );
}

function ofCompaction(events: readonly TurnEvent[]): readonly TurnEvent[] {
  return events.filter(({ type }) => type.startsWith("compaction-") || type === "turn-end");
}

async function allMessages(world: World, id: ConversationId): Promise<readonly Message[]> {
  return (await world.records.messages(id, { limit: 100 })).items;
}

test("compactWhenDue compacts answered messages before the next turn, whose message stays verbatim", async () => {
  await using world = await createWorld({ ...window, prompts: ["old", "fresh"] });
  const id = await filled(world, 800);
  world.scripts.push(() => say("SUMMARY"));
  const events = await world.turn(id, "two");
  const messages = await allMessages(world, id);

  const summary = `${summaryOpening}\n\nSUMMARY`;
  expect(world.requests.map(told)).toEqual([["one"], ["one", "answer", compactionRequest()], [summary, "two"]]);
  expect(world.requests[2]?.systemPrompt).toEqual(["fresh"]);
  expect(messages.map(({ role, epoch }) => [role, epoch])).toEqual([
    ["user", 1],
    ["assistant", 1],
    ["user", 1],
    ["user", 2],
    ["user", 2],
    ["assistant", 2],
  ]);
  expect(messages[4]).toMatchObject({
    parts: messages[2]?.parts,
    turnId: messages[2]?.turnId,
    carriedFrom: messages[2]?.id,
  });
  expect(ofCompaction(events)).toMatchObject([
    { type: "compaction-start", reason: "automatic" },
    { type: "compaction-end", status: "completed", epoch: 2, messageId: messages[3]?.id },
    { type: "turn-end", status: "completed" },
  ]);
});

test("compactWhenDue does nothing below the configured share", async () => {
  await using world = await createWorld(window);
  const id = await filled(world, 799);
  const events = await world.turn(id, "two");

  expect(ofCompaction(events)).toMatchObject([{ type: "turn-end" }]);
});

test("[byte-prefix] compactWhenDue within a turn keeps calls with results and repeats the turn's message", async () => {
  await using world = await createWorld({ ...window, prompts: ["old", "fresh"] });
  const { id, events } = await world.ask(
    "work",
    () => look("1"),
    () => taking(900, look("2")),
    () => say("SUMMARY"),
    () => look("3"),
  );
  await world.turn(id, "on");

  const summary = `${summaryOpening}\n\nSUMMARY`;
  const turn = ["work", "tool-call", "tool-result", "tool-call", "tool-result"];
  expect(world.requests.slice(2).map(told)).toEqual([
    [...turn, compactionRequest()],
    [summary, "work"],
    [summary, "work", "tool-call", "tool-result"],
    [summary, "work", "tool-call", "tool-result", "Reply 5", "on"],
  ]);
  expect(world.requests.map(({ systemPrompt }) => systemPrompt[0]).toSpliced(2, 1)).toEqual([
    "old",
    "old",
    "fresh",
    "fresh",
    "fresh",
  ]);
  expect(ofCompaction(events).at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

const failures: readonly (readonly [string, () => AsyncIterable<ModelEvent>])[] = [
  ["fails", () => fail("BAD_REQUEST", false)],
  ["is empty", () => say(" ")],
  ["is cut off", () => ending(say("SUMM"), "length")],
  ["is too long", () => reporting(800, say("SUMMARY"))],
];

async function* reporting(outputTokens: number, reply: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  for await (const event of reply)
    yield event.type === "finish" ? { ...event, usage: { ...event.usage, outputTokens } } : event;
}

for (const [name, script] of failures) {
  test(`[never-half] compactWhenDue changes nothing when the summary ${name}, and retries after further growth`, async () => {
    await using world = await createWorld({ ...window, prompts: ["old", "fresh", "fresher"] });
    const id = await filled(world, 850);
    world.scripts.push(
      script,
      () => taking(900, say("second")),
      () => taking(949, say("third")),
      () => taking(950, say("fourth")),
      () => say("SUMMARY"),
    );
    const events: TurnEvent[] = [];
    for (const input of ["two", "three", "four", "five"]) events.push(...(await world.turn(id, input)));

    expect(ofCompaction(events)).toMatchObject([
      { type: "compaction-start" },
      { type: "compaction-end", status: "failed", error: { code: "MODEL_FAILED" } },
      { type: "turn-end", status: "completed" },
      { type: "turn-end", status: "completed" },
      { type: "turn-end", status: "completed" },
      { type: "compaction-start" },
      { type: "compaction-end", status: "completed", epoch: 2 },
      { type: "turn-end", status: "completed" },
    ]);
    expect(told(world.requests[2])).toEqual(["one", "answer", "two"]);
    expect(world.requests[2]?.systemPrompt).toEqual(["old"]);
    expect(world.requests.at(-1)?.systemPrompt).toEqual(["fresher"]);
  });
}

test("compactWhenDue does not loop in an epoch that starts full", async () => {
  await using world = await createWorld(window);
  const id = await filled(world, 850);
  world.scripts.push(
    () => say("SUMMARY"),
    () => taking(900, look("1")),
    () => taking(950, look("2")),
    () => taking(999, look("3")),
    () => taking(1_000, look("4")),
    () => say("SHORTER"),
  );
  const events = await world.turn(id, "two");

  expect(ofCompaction(events).flatMap((event) => (event.type === "compaction-end" ? [event.epoch] : []))).toEqual([
    2, 3,
  ]);
  expect(told(world.requests.at(-1))).toEqual([`${summaryOpening}\n\nSHORTER`, "two"]);
});

test("compactWhenDue restores the conversation's size after a restart", async () => {
  const storage = createMemoryStorage();
  const before = await createWorld({ ...window, storage });
  const id = await filled(before, 800);
  await before[Symbol.asyncDispose]();
  await using world = await createWorld({ ...window, storage });

  expect(ofCompaction(await world.turn(id, "two"))).toHaveLength(3);
});

test("compactWhenDue does nothing when disabled or without a known window", async () => {
  await using unknown = await createWorld();
  await using unwanted = await createWorld({ ...window, settings: { compaction: { auto: false } } });
  for (const world of [unknown, unwanted]) {
    const id = await filled(world, 1_000_000);
    await world.turn(id, "two");
    expect(world.requests.map(told)).toEqual([["one"], ["one", "answer", "two"]]);
  }

  expect(unknown.logged).toEqual([expect.stringContaining('providers.test.models."model".context_window')]);
  expect(unwanted.logged).toEqual([]);
});

test("stop ends an automatic compaction with its turn, without changes or a warning; the next turn retries", async () => {
  await using world = await createWorld(window);
  const id = await filled(world, 800);
  const { turnId } = await world.begin("compaction-start", stall, { id, input: "two" });
  const { status } = await world.conversations.get(id);
  await world.conversations.stop(id);
  const stopped = await world.ended(id, turnId);
  const { epoch } = await world.conversations.get(id);
  world.scripts.push(() => say("SUMMARY"));
  const next = await world.turn(id, "three");

  expect([status, epoch]).toEqual(["compacting", 1]);
  expect(ofCompaction(stopped)).toMatchObject([
    { type: "compaction-start" },
    { type: "compaction-end", status: "cancelled" },
    { type: "turn-end", status: "cancelled" },
  ]);
  expect(world.logged).toEqual([]);
  expect(ofCompaction(next)).toMatchObject([
    { type: "compaction-start" },
    { type: "compaction-end", status: "completed", epoch: 2 },
    { type: "turn-end", status: "completed" },
  ]);
});

for (const isRequested of [false, true]) {
  const kind = isRequested ? "that was asked for" : "of a turn";
  test(`[never-half] recover ends a compaction ${kind} interrupted by a crash, without changes`, async () => {
    const storage = createMemoryStorage();
    const lost = await createWorld({ ...window, storage, prompts: ["old", "lost"] });
    const id = await filled(lost, 800);
    const asked = Promise.withResolvers<void>();
    lost.scripts.push((request) => {
      asked.resolve();
      return stall(request);
    });
    const { lastSeq: afterSeq } = await lost.conversations.get(id);
    if (isRequested) void lost.conversations.compact(id).catch(() => undefined);
    else await lost.conversations.send(id, { input: "two" });
    await asked.promise;

    await using world = await createWorld({ storage, prompts: [] });
    const ended = await until(world.conversations.follow(id, { afterSeq }), "compaction-end");
    await world.turn(id, "three");
    const { items: steps } = await world.records.steps(id, { limit: 10 });

    expect(ended.at(-1)).toMatchObject({ type: "compaction-end", status: "interrupted" });
    expect(steps[1]).toMatchObject({ purpose: "compaction", error: { code: "INTERRUPTED" } });
    expect(told(world.requests[0])).toEqual(["one", "answer", ...(isRequested ? [] : ["two"]), "three"]);
    expect(world.requests[0]?.systemPrompt).toEqual(["old"]);
  });
}

test("compact shows start and end events, and carries over unanswered messages", async () => {
  await using world = await createWorld();
  const id = await filled(world, 1);
  world.scripts.push(() => fail("BAD_REQUEST", false));
  await world.turn(id, "two");
  const { lastSeq: afterSeq } = await world.conversations.get(id);
  world.scripts.push(() => say("SUMMARY"));
  const { conversation } = await world.conversations.compact(id);
  const events = await until(world.conversations.follow(id, { afterSeq }), "compaction-end");
  await world.turn(id, "three");

  expect(conversation).toMatchObject({ status: "idle", epoch: 2 });
  expect(events).toMatchObject([
    { type: "compaction-start", reason: "requested" },
    { type: "compaction-end", status: "completed", epoch: 2, usage: { inputTokens: 1, outputTokens: 1 } },
  ]);
  expect(told(world.requests.at(-1))).toEqual([`${summaryOpening}\n\nSUMMARY`, "two", "three"]);
});

test("compactWhenDue proceeds when contextWindow does not answer", async () => {
  await using world = await createWorld({ contextWindow: () => new Promise(() => {}) });
  const { id } = await world.conversations.create({});
  const sent = await world.conversations.send(id, { input: "one" });
  const turn = collect(world.conversations.follow(id, sent));

  await world.clock.advanceUntil(turn);
  const { turnId } = await world.conversations.send(id, { input: "two" });
  await world.conversations.stop(id);
  const stopped = await world.ended(id, turnId);

  expect((await turn).at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(stopped.at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
});

test("compactWhenDue proceeds when contextWindow rejects", async () => {
  await using world = await createWorld({ contextWindow: () => Promise.reject(new Error("no route to host")) });
  const { events } = await world.ask("one");

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});
