import type { ModelEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { summaryOpening, compactionRequest } from "../compaction/compaction-prompt.ts";
import { call, callOne, createWorld, ending, fail, say, type Script, type World } from "../testing/test-world.ts";
import { allowedTool } from "../testing/new-tool.ts";

const long = `${"x".repeat(200_000)}END`;
const tools = [allowedTool("cat", async () => long)];
/** A reply cut at the output limit within a call. */
const cutCall = (input: string) => (): AsyncGenerator<ModelEvent> =>
  ending(call({ toolCallId: "1", name: "cat", input }), "length");
const refuse = (): ReturnType<typeof fail> => fail("CONTEXT_TOO_LONG", false);

const summedUp = (answer: string): readonly Script[] => [refuse, () => say("SUMMARY"), () => say(answer)];

function textOf({ requests }: World, at: number): string {
  return JSON.stringify(requests.at(at)?.messages);
}

test("a history rejected as too long is compacted within the turn, which continues", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  world.scripts.push(...summedUp("answer"));

  const events = await world.turn(id, "two");

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(events.some(({ type }) => type === "compaction-end")).toBe(true);
  const [, refused, summary, last] = world.requests;
  expect(refused?.messages.at(-1)?.parts).toEqual([{ type: "text", text: "two" }]);
  expect(summary?.messages.at(-1)?.parts).toEqual([{ type: "text", text: compactionRequest() }]);
  expect(last?.messages.map(({ parts: [part] }) => part)).toEqual([
    { type: "text", text: `${summaryOpening}\n\nSUMMARY` },
    { type: "text", text: "two" },
  ]);
});

test("a result too long for any request is shortened for the summary", async () => {
  await using world = await createWorld({ tools });
  const { id, events } = await world.ask("read it", callOne("cat"), refuse, ...summedUp("answer"));

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(textOf(world, -3).length).toBeGreaterThan(100_000);
  expect(textOf(world, -2).length).toBeLessThan(20_000);
  expect(textOf(world, -2)).toContain("END"); // The end of a result is the most informative.
  const { items } = await world.records.steps(id, { limit: 10 });
  expect(items.map(({ purpose }) => purpose)).toEqual(["turn", "turn", "compaction", "compaction", "turn"]);
});

test("a turn whose later step overflows again is compacted again", async () => {
  await using world = await createWorld({ tools });
  const { id } = await world.conversations.create({});
  const read = (toolCallId: string): Script => callOne("cat", "{}", toolCallId);
  const untilRead = summedUp("").slice(0, 2);
  world.scripts.push(read("1"), ...untilRead, read("2"), ...summedUp("answer"));

  const events = await world.turn(id, "read both");

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(events.filter(({ type }) => type === "compaction-end")).toHaveLength(2);
});

test("a model that rejects even the summary fails the turn with advice", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  world.scripts.push(refuse, refuse, refuse, refuse, refuse);

  const refused = await world.turn(id, `two ${"y".repeat(50_000)}`);
  world.scripts.push(...summedUp("answer"));
  const next = await world.turn(id, "three");

  const end = refused.at(-1);
  expect(end).toMatchObject({ type: "turn-end", status: "failed", error: { code: "CONTEXT_TOO_LONG" } });
  expect(JSON.stringify(end)).toContain("undo");
  expect(JSON.stringify(end)).not.toContain("; compact the conversation");
  expect(next.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  // The unanswered message is carried over, shortened so that the next call succeeds.
  expect(textOf(world, -1).length).toBeLessThan(10_000);
  expect(textOf(world, -1)).toContain("two y");
  expect(textOf(world, -1)).toContain("three");
});

test("a rejected history is compacted once per step, and not at all when disabled", async () => {
  await using off = await createWorld({ settings: { compaction: { auto: false } } });
  const { id } = await off.ask("one");
  off.scripts.push(refuse);
  expect((await off.turn(id, "two")).at(-1)).toMatchObject({
    status: "failed",
    error: { code: "CONTEXT_TOO_LONG" },
  });
  expect(off.requests).toHaveLength(2);

  await using world = await createWorld();
  const { id: other } = await world.ask("one");
  world.scripts.push(refuse, () => say("SUMMARY"), refuse);
  expect((await world.turn(other, "two")).at(-1)).toMatchObject({ status: "failed" });
  expect(world.requests).toHaveLength(4);
});

test("a tool call cut at the output limit is not run; three fail the turn", async () => {
  await using world = await createWorld({ tools });
  const { id } = await world.conversations.create({});
  const cut = cutCall('{"path":"a');
  world.scripts.push(cut, cut, () => say("answer"));
  const finished = await world.turn(id, "write");
  world.scripts.push(cut, cut, cut, () => say("never"));

  const events = await world.turn(id, "write more");
  const next = await world.turn(id, "and now?");

  expect(finished.at(-1)).toMatchObject({ status: "completed" });
  expect(JSON.stringify(world.requests[1]?.messages)).toContain("in smaller pieces");
  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "OUTPUT_LIMIT" } });
  expect(world.requests).toHaveLength(7);
  expect(next.at(-1)).toMatchObject({ status: "completed" });
});

test("a first message too long for any request does not block later ones", async () => {
  await using world = await createWorld();
  const { id, events: first } = await world.ask(`one ${"y".repeat(50_000)}`, refuse);
  world.scripts.push(refuse, () => say("answer"));

  const events = await world.turn(id, "two");

  expect(first.at(-1)).toMatchObject({ status: "failed", error: { code: "CONTEXT_TOO_LONG" } });
  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(textOf(world, -1).length).toBeLessThan(10_000);
  expect(textOf(world, -1)).toContain("one y");
});

test("a rejected request adds no reply and does not count towards max_steps", async () => {
  await using world = await createWorld({ settings: { max_steps: 1 } });
  const { id } = await world.ask("one");
  world.scripts.push(...summedUp("answer"));
  const answered = await world.turn(id, "two");
  world.scripts.push(...summedUp(""));
  const silent = await world.turn(id, "three");

  expect(answered.at(-1)).toMatchObject({ status: "completed" });
  expect(silent.at(-1)).toMatchObject({ status: "failed", error: { code: "EMPTY_REPLY" } });
});

test("a truncated reply runs its complete calls, but not an incomplete call without arguments", async () => {
  const ran: unknown[] = [];
  const noted = allowedTool("cat", async (input) => `ran ${ran.push(input)}`);
  await using world = await createWorld({ tools: [noted] });
  const { id } = await world.conversations.create({});
  world.scripts.push(cutCall("{}"), cutCall("{}"), cutCall("{}"), cutCall("{}"), cutCall(""), () => say("answer"));

  const events = await world.turn(id, "read");

  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(ran).toHaveLength(4);
});

test("failed summary calls are recorded and counted, and the error omits failed advice", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  async function* refuseWords(): AsyncGenerator<ModelEvent> {
    const message = "too long; compact the conversation, or take a model with a larger window";
    yield { type: "failure", error: { code: "CONTEXT_TOO_LONG", message, isRetryable: false } };
  }
  world.scripts.push(...Array.from({ length: 5 }, () => refuseWords));

  const events = await world.turn(id, "two");
  const { items } = await world.records.steps(id, { limit: 10 });
  const { summary } = await world.records.audit(id, { limit: 10 });

  expect(JSON.stringify(events.at(-1))).not.toContain("compact the conversation, or");
  expect(items).toHaveLength(6);
  expect(summary.steps).toBe(6);
});

test("a reply that fails after reasoning is retried, and its first reasoning is dropped", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(
    async function* first() {
      yield { type: "reasoning-start", partId: "r" };
      yield { type: "reasoning-delta", partId: "r", text: "First thoughts" };
      yield* fail("CUT_OFF", true, 0);
    },
    async function* second() {
      yield { type: "reasoning-start", partId: "r" };
      yield { type: "reasoning-delta", partId: "r", text: "Second thoughts" };
      yield { type: "reasoning-end", partId: "r" };
      yield* say("answer");
    },
  );

  const { turnId } = await world.conversations.send(id, { input: "one" });
  const ended = world.ended(id, turnId);
  for (let count = 0; count < 20; count += 1) await world.clock.advance(1_000);
  const events = await ended;
  const { items } = await world.records.messages(id, { limit: 10 });

  expect(
    events.map(({ type }) => type).filter((type) => /reasoning-(?:start|end)|retry|turn-end/.test(type)),
  ).toEqual(["reasoning-start", "reasoning-end", "step-retry", "reasoning-start", "reasoning-end", "turn-end"]);
  expect(items.at(-1)?.parts).toMatchObject([
    { type: "reasoning", text: "Second thoughts" },
    { type: "text", text: "answer" },
  ]);
});
