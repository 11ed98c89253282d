import type { ModelMessage, TurnEvent } from "@incipit/schema";
import { createMemoryStorage, numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { COMPACTION_SYSTEM_PROMPT, summaryOpening } from "../compaction/compaction-prompt.ts";
import {
  call,
  callOne,
  collect,
  createWorld,
  ending,
  fail,
  outcomeOf,
  say,
  stall,
  until,
  type World,
} from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";
import { allowedTool } from "../testing/new-tool.ts";

function roles(messages: readonly ModelMessage[]): readonly string[] {
  return messages.map(({ role }) => role);
}

function textOf(messages: readonly ModelMessage[]): readonly string[] {
  return messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : part.type)).join("|"));
}

function ends(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "turn-end" ? [event.status] : []));
}

test("send builds the prompt on the first turn and reuses it afterwards", async () => {
  await using world = await createWorld({ prompts: ["first", "second"] });
  const { id, events: first } = await world.ask("one");
  const second = await world.turn(id, "two");

  expect(world.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([["first"], ["first"]]);
  expect([first, second].map((events) => events.some(({ type }) => type === "prompt-resolve"))).toEqual([
    true,
    false,
  ]);
});

test('send builds the prompt every turn with promptRefresh "turn"', async () => {
  await using world = await createWorld({ prompts: ["first", "second"], defaults: { promptRefresh: "turn" } });
  const { id } = await world.ask("one");
  await world.turn(id, "two");

  expect(world.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([["first"], ["second"]]);
});

test("send without a prompt builder, or with an empty prompt, sends no system prompt", async () => {
  await using absent = await createWorld();
  await using empty = await createWorld({ prompts: [""] });
  await absent.turn((await absent.conversations.create({})).id, "one");
  await empty.turn((await empty.conversations.create({})).id, "one");

  expect([...absent.requests, ...empty.requests].map(({ systemPrompt }) => systemPrompt)).toEqual([[], []]);
});

test("send passes model and profile to the prompt's trust check", async () => {
  const asked: unknown[] = [];
  await using world = await createWorld({
    prompts: ["p"],
    defaults: { profiles: [{ name: "coder" }] },
    assertTrusted: async (_id, cwd, context) => void asked.push([cwd, context]),
  });
  const { id } = await world.conversations.create({ profile: "coder" });
  const { id: plain } = await world.conversations.create({});
  await world.turn(id, "one", { model: "test/other" });
  await world.turn(plain, "one");

  const all = { skills: null, mcpServers: null, tools: { allowed: null, denied: [] } };
  expect(asked).toEqual([
    ["/work", { model: "test/other", profile: "coder", ...all }],
    ["/work", { model: "test/model" }],
  ]);
});

test("send includes only nonempty system messages", async () => {
  await using world = await createWorld({ prompts: ["kept"] });
  const { id } = await world.conversations.create({});
  await world.turn(id, "one", { system: ["", "Be brief."] });

  expect(world.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([["Be brief."]]);
});

test("send queues a message during a turn and runs it afterwards", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(stall);
  const first = await world.conversations.send(id, { input: "one" });
  const second = await world.conversations.send(id, { input: "two" });
  await until(world.conversations.follow(id, { afterSeq: 0 }), "text-delta");
  expect(await world.conversations.stop(id)).toBe(true);

  const firstEvents = await world.ended(id, first.turnId);
  const secondEvents = await world.ended(id, second.turnId);

  expect(firstEvents.at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect(secondEvents.map(({ type }) => type).slice(0, 2)).toEqual(["turn-queue", "turn-start"]);
  expect(ends(secondEvents)).toEqual(["completed"]);
  expect(textOf(world.requests[1]?.messages ?? [])).toEqual(["one", "par", "two"]);
});

test("send runs turns of different conversations concurrently", async () => {
  await using world = await createWorld();
  const [a, b] = [await world.conversations.create({}), await world.conversations.create({})];
  await world.begin("text-delta", stall, { id: a.id, input: "one" });

  expect(ends(await world.turn(b.id, "two"))).toEqual(["completed"]);
});

test("send retries a retryable error after the vendor's delay", async () => {
  await using world = await createWorld();
  const { id, turnId, seen } = await world.begin("step-retry", () => fail("RATE_LIMITED", true, 7_000), {
    input: "one",
  });
  await world.clock.advance(6_999);
  expect(world.requests).toHaveLength(1);
  await world.clock.advance(1);
  const events = await world.ended(id, turnId);

  expect(seen.at(-1)).toMatchObject({ attempt: 1, waitMs: 7_000, error: { code: "RATE_LIMITED" } });
  expect(ends(events)).toEqual(["completed"]);
  expect((await world.records.steps(id, { limit: 10 })).items).toMatchObject([{ attempts: 2 }]);
});

test("send does not retry permanent errors or partial replies, and keeps the message", async () => {
  await using world = await createWorld();
  const { id, events: refused } = await world.ask(
    "one",
    () => fail("UNAUTHORIZED", false),
    async function* cut() {
      yield { type: "text-start", partId: "0" };
      yield { type: "text-delta", partId: "0", text: "half" };
      yield* fail("CUT_OFF", true);
    },
  );
  const cut = await world.turn(id, "two");
  await world.turn(id, "three");

  expect(refused.at(-1)).toMatchObject({ status: "failed", error: { code: "UNAUTHORIZED" } });
  expect(cut.at(-1)).toMatchObject({ status: "failed", error: { code: "CUT_OFF" } });
  expect(textOf(world.requests[2]?.messages ?? [])).toEqual(["one", "two", "half", "three"]);
});

test("send fails with TIMEOUT for a silent model", async () => {
  await using world = await createWorld({ settings: { idle_timeout_ms: 5_000 } });
  const { id, turnId } = await world.begin(
    "step-start",
    async function* never() {
      await new Promise(() => {});
      yield* say("");
    },
    { input: "one" },
  );
  await world.clock.advance(5_000);

  const events = await world.ended(id, turnId);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "TIMEOUT" } });
});

test("send runs tools until the model stops, and returns tool errors as results", async () => {
  const throws = allowedTool("throws", () => Promise.reject(new Error("no luck")));
  const echo = allowedTool("echo", async (input) => JSON.stringify(input));
  await using world = await createWorld({ tools: [throws, echo] });
  const { events } = await world.ask("go", () =>
    call(
      { toolCallId: "1", name: "echo", input: '{ "a":1 }' },
      { toolCallId: "2", name: "throws", input: "{}" },
      { toolCallId: "3", name: "nobody", input: "{}" },
      { toolCallId: "4", name: "echo", input: "{broken" },
    ),
  );

  expect(ends(events)).toEqual(["completed"]);
  expect(world.requests[0]?.tools.map(({ name }) => name)).toEqual(["echo", "throws"]);
  const [, answer, results] = world.requests[1]?.messages ?? [];
  expect(answer?.parts).toMatchObject([{ input: '{ "a":1 }' }, {}, {}, { input: "{broken" }]);
  expect(results?.parts).toMatchObject([
    { toolCallId: "1", output: '{"a":1}', isError: false },
    { toolCallId: "2", output: "no luck", isError: true },
    { toolCallId: "3", isError: true },
    { toolCallId: "4", isError: true },
  ]);
  expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(4);
});

test("send ends a turn that exceeds max_steps", async () => {
  await using world = await createWorld({ settings: { max_steps: 3 } });
  const { id } = await world.conversations.create({});
  for (let count = 0; count < 5; count += 1) world.scripts.push(callOne("x", "{}", String(count)));

  const events = await world.turn(id, "go");

  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "MAX_STEPS" } });
  expect(world.requests).toHaveLength(3);
});

test("follow yields stored and live events once each to every follower", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  const { lastSeq } = await world.conversations.get(id);
  const followers = [0, 3, lastSeq].map((afterSeq) => ({ afterSeq, events: collectTurns(world, id, afterSeq) }));
  await world.turn(id, "two");

  const all = await world.events(id);
  expect(numberProblems(all)).toEqual([]);
  for (const { afterSeq, events } of followers) expect(await events).toEqual(all.slice(afterSeq));
});

async function collectTurns(
  world: World,
  id: Parameters<World["turn"]>[0],
  afterSeq: number,
): Promise<readonly TurnEvent[]> {
  const seen: TurnEvent[] = [];
  for await (const event of world.conversations.follow(id, { afterSeq })) {
    seen.push(event);
    if (event.type === "turn-end" && event.seq > 10) break;
  }
  return seen;
}

test("compact starts an epoch with the summary and a new prompt", async () => {
  await using world = await createWorld({ prompts: ["old", "fresh"] });
  const { id } = await world.ask("one");
  world.scripts.push(() => say("all that was"));
  const { conversation, summary } = await world.conversations.compact(id);
  await world.turn(id, "two");

  expect(conversation.epoch).toBe(2);
  expect(summary).toMatchObject({ role: "user", parts: [{ text: `${summaryOpening}\n\nall that was` }] });
  expect(world.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([
    ["old"],
    [`fresh\n\n${COMPACTION_SYSTEM_PROMPT}`],
    ["fresh"],
  ]);
  expect(roles(world.requests[2]?.messages ?? [])).toEqual(["user", "user"]);
  expect((await world.records.messages(id, { limit: 100 })).items.map(({ epoch }) => epoch)).toEqual([
    1, 1, 2, 2, 2,
  ]);
});

test("compact without a prompt builder sends only the compaction prompt", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  await world.conversations.compact(id);

  expect(world.requests[1]?.systemPrompt).toEqual([COMPACTION_SYSTEM_PROMPT]);
});

for (const [name, script] of [
  ["fails", () => fail("BAD_REQUEST", false)],
  ["is empty", () => say("  ")],
  ["is cut off by its length", () => ending(say("half"), "length")],
] as const) {
  test(`compact changes nothing when the summary ${name}`, async () => {
    await using world = await createWorld({ prompts: ["old", "fresh"] });
    const { id } = await world.ask("one");
    const before = await world.records.messages(id, { limit: 100 });
    world.scripts.push(script);

    const failure = await outcomeOf(world.conversations.compact(id));
    await world.turn(id, "two");

    expect(failure).toMatchObject({ code: "MODEL_FAILED" });
    expect(world.requests[2]?.systemPrompt).toEqual(["old"]);
    expect(textOf(world.requests[2]?.messages ?? [])).toEqual(["one", "Reply 1", "two"]);
    expect((await world.records.messages(id, { limit: 2 })).items).toEqual(before.items.slice(0, 2));
  });
}

test("a restart marks running turns as interrupted, keeps streamed text, and runs the queue", async () => {
  const lost = await createWorld();
  const { id } = await lost.conversations.create({});
  lost.scripts.push((request) => stall(request, "shown"));
  const first = await lost.conversations.send(id, { input: "one" });
  const queued = await lost.conversations.send(id, { input: "two" });
  await until(lost.conversations.follow(id, { afterSeq: 0 }), "text-delta");

  await using world = await createWorld({ storage: lost.storage });
  const ended = await world.ended(id, first.turnId);
  const run = await world.ended(id, queued.turnId);

  expect(ends(ended)).toEqual(["interrupted"]);
  expect(ends(run)).toEqual(["completed"]);
  expect(textOf(world.requests[0]?.messages ?? [])).toEqual(["one", "shown", "two"]);
  const all = await world.events(id);
  expect(numberProblems(all)).toEqual([]);
});

test("unload interrupts running turns, ends their followers, and keeps the queue", async () => {
  const world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(stall);
  const { turnId } = await world.conversations.send(id, { input: "one" });
  const following = world.ended(id, turnId);
  const forEver = collect(world.conversations.follow(id, { afterSeq: 0 }));
  await until(world.conversations.follow(id, { afterSeq: 0 }), "text-delta");

  await world.kernel.unload("session-orchestrator");

  expect((await following).at(-1)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(ends(await forEver)).toEqual(["interrupted"]);
});

test("stepRequest returns each request of a long conversation byte for byte", async () => {
  await using world = await createWorld({ prompts: ["p"] });
  const { id } = await world.conversations.create({});
  for (let count = 0; count < 30; count += 1) await world.turn(id, `message ${count} 🎉`);
  const { items } = await world.records.steps(id, { limit: 100 });

  const bodies = await Promise.all(items.map(async (step) => (await world.records.stepRequest(id, step.id)).body));

  expect(bodies).toEqual(
    world.requests.map(({ systemPrompt, messages }) => JSON.stringify({ system: systemPrompt, messages })),
  );
  expect(items.map(({ firstDifference }) => firstDifference)).toEqual(items.map(() => null));
});

test("send stores text-start in the same commit as the first characters", async () => {
  const storage = createMemoryStorage();
  const commits: string[][] = [];
  const watched = hookedStorage(
    { atomic: (writes) => commits.push(writes.map(({ key }) => key).filter((key) => key.startsWith("event:"))) },
    storage,
  );
  await using world = await createWorld({ storage: watched });
  const { events } = await world.ask("one", () => say("Hello"));

  const commitOf = (type: TurnEvent["type"]): number => {
    const seq = events.find((event) => event.type === type)?.seq ?? 0;
    return commits.findIndex((keys) => keys.some((key) => Number(key.split(":").at(-1)) === seq));
  };
  expect(commitOf("text-start")).toBeGreaterThan(commitOf("step-start"));
  expect(commitOf("text-delta")).toBe(commitOf("text-start"));
});
