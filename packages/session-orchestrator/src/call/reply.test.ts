import type { MessagePart, TurnEvent } from "@incipit/schema";
import type { ModelEvent, Tool } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { call, createWorld, finish, say, type World } from "../testing/test-world.ts";
import { allowedTool } from "../testing/new-tool.ts";

const echo = allowedTool("echo", async (input) => JSON.stringify(input));

async function shownOf(
  events: readonly ModelEvent[],
  options: { readonly tools?: readonly Tool[] } = {},
): Promise<{
  readonly shown: readonly TurnEvent[];
  readonly said: readonly MessagePart[];
  readonly next: World["requests"][number] | undefined;
}> {
  await using world = await createWorld(options);
  const { id, events: shown } = await world.ask("one", async function* reply() {
    yield* events;
  });
  expect(shown.filter(({ type }) => type === "turn-end")).toHaveLength(1);
  expect((await world.turn(id, "two")).at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  const { items } = await world.records.messages(id, { limit: 10 });
  const said = items.find(({ role }) => role === "assistant")?.parts ?? [];
  return { shown, said, next: world.requests.at(-1) };
}

function parts(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) =>
    "partId" in event ? [`${event.type} ${event.partId} ${event.text}`.trim()] : [],
  );
}

test("a reply of a million empty deltas counts as empty and uses no memory", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const storedBytes: number[] = [];
  const measure = (): void => {
    Bun.gc(true);
    storedBytes.push(process.memoryUsage().heapUsed);
  };
  world.scripts.push(async function* flood() {
    measure();
    for (let count = 0; count < 1_000_000; count += 1) yield { type: "text-delta", partId: "0", text: "" };
    measure();
    yield finish;
  });

  const shown = await world.turn(id, "go");

  expect(shown.map(({ type }) => type)).toEqual(["turn-start", "step-start", "step-end", "turn-end"]);
  const [before = 0, after = Number.POSITIVE_INFINITY] = storedBytes;
  expect(after - before).toBeLessThan(8 * 1_048_576);
});

test("a delta starts an unstarted part, and an unmatched end is ignored", async () => {
  const { shown, said } = await shownOf([
    { type: "text-delta", partId: "7", text: "Hello" },
    { type: "text-end", partId: "8" },
    { type: "text-end", partId: "7" },
    { type: "text-end", partId: "7" },
    finish,
  ]);

  expect(parts(shown)).toEqual(["text-start 7", "text-delta 7 Hello", "text-end 7 Hello"]);
  expect(said).toEqual([{ type: "text", text: "Hello" }]);
});

test("an unfinished part ends with its step, even if that failed", async () => {
  const open = [
    { type: "reasoning-start", partId: "r" },
    { type: "reasoning-delta", partId: "r", text: "Hm" },
    { type: "text-start", partId: "t" },
    { type: "text-delta", partId: "t", text: "Hel" },
  ] as const;
  const failure = { code: "FAILED", message: "It is", isRetryable: false };
  for (const end of [finish, { type: "failure", error: failure } as const]) {
    const { shown, said } = await shownOf([...open, end]);

    expect(parts(shown).slice(-2)).toEqual(["reasoning-end r Hm", "text-end t Hel"]);
    expect(said).toEqual([
      { type: "reasoning", text: "Hm" },
      { type: "text", text: "Hel" },
    ]);
  }
});

test("lone surrogates are removed, and pairs split between deltas stay intact", async () => {
  const { said, next } = await shownOf(
    [
      { type: "reasoning-delta", partId: "r", text: "\udc00" },
      { type: "text-delta", partId: "t", text: "a\ud83c" },
      { type: "text-delta", partId: "t", text: "\udf89b\ud83d" },
      { type: "tool-call", toolCallId: "1", name: "echo", input: '{"a":"\ud83d"}' },
      finish,
    ],
    { tools: [echo] },
  );

  expect(said).toEqual([
    { type: "tool-call", toolCallId: "1", name: "echo", input: '{"a":"\ufffd"}' },
    { type: "reasoning", text: "\ufffd" },
    { type: "text", text: "a🎉b\ufffd" },
  ]);
  expect(JSON.stringify(next?.messages)).not.toMatch(/\\ud[89a-f]/i);
});

test("two consecutive parts with one id are separate parts", async () => {
  const { shown, said } = await shownOf([
    { type: "text-start", partId: "0" },
    { type: "text-delta", partId: "0", text: "one" },
    { type: "text-start", partId: "0" },
    { type: "text-delta", partId: "0", text: "two" },
    { type: "reasoning-delta", partId: "0", text: "three" },
    finish,
  ]);

  expect(parts(shown)).toEqual([
    "text-start 0",
    "text-delta 0 one",
    "text-end 0 one",
    "text-start 0",
    "text-delta 0 two",
    "text-end 0 two",
    "reasoning-start 0",
    "reasoning-delta 0 three",
    "reasoning-end 0 three",
  ]);
  expect(said).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "two" },
    { type: "reasoning", text: "three" },
  ]);
});

test("a started but unfinished tool call ends as cut and is not stored", async () => {
  const { shown, said } = await shownOf([
    { type: "tool-call-start", toolCallId: "1", name: "echo" },
    { type: "text-delta", partId: "0", text: "done" },
    finish,
  ]);

  expect(shown.find(({ type }) => type === "tool-call-end")).toMatchObject({
    toolCallId: "1",
    error: { code: "TOOL_CALL_CUT" },
  });
  expect(said).toEqual([{ type: "text", text: "done" }]);
});

test("a complete tool call of a failed reply ends and is not run", async () => {
  const { shown, said } = await shownOf([
    { type: "text-delta", partId: "0", text: "so" },
    { type: "tool-call", toolCallId: "1", name: "echo", input: "{}" },
    { type: "failure", error: { code: "CUT_OFF", message: "It is cut", isRetryable: false } },
  ]);

  expect(shown.flatMap((event) => ("toolCallId" in event ? [event.type] : []))).toEqual([
    "tool-call-start",
    "tool-call-end",
  ]);
  expect(said).toEqual([{ type: "text", text: "so" }]);
});

test("a reply over 8 MiB is cut with bounded memory, and the conversation continues", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  let sent = 0;
  world.scripts.push(async function* flood() {
    for (; sent < 100 * 1_048_576; sent += 65_536)
      yield { type: "text-delta", partId: "0", text: "x".repeat(65_536) };
    yield finish;
  });
  Bun.gc(true);
  const before = process.memoryUsage.rss();

  const shown = await world.turn(id, "go");
  const grownBytes = process.memoryUsage.rss() - before;

  expect(shown.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "REPLY_TOO_LARGE" } });
  expect(sent).toBeLessThanOrEqual(8 * 1_048_576);
  expect(grownBytes).toBeLessThan(160 * 1_048_576);
  world.scripts.push(() => say("on"));
  expect((await world.turn(id, "on")).at(-1)).toMatchObject({ status: "completed" });
  const kept = world.requests.at(-1)?.messages[1]?.parts[0];
  expect(kept?.type === "text" ? kept.text.length : 0).toBeGreaterThan(7.9 * 1_048_576);
});

test("a reply with over 8 MiB of arguments is cut", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const input = JSON.stringify({ text: "x".repeat(3 * 1_048_576) });
  world.scripts.push(() => call(...["1", "2", "3"].map((toolCallId) => ({ toolCallId, name: "nobody", input }))));

  expect((await world.turn(id, "go")).at(-1)).toMatchObject({ error: { code: "REPLY_TOO_LARGE" } });
});

test("a reply with too many parts or calls is cut", async () => {
  for (const type of ["text-start", "tool-call"] as const) {
    await using world = await createWorld();
    const { id } = await world.conversations.create({});
    world.scripts.push(async function* flood() {
      for (let count = 0; count < 20_000; count += 1) {
        if (type === "text-start") yield { type, partId: `${count}` };
        else yield { type, toolCallId: `${count}`, name: "nobody", input: "{}" };
      }
      yield finish;
    });

    expect((await world.turn(id, "go")).at(-1)).toMatchObject({ error: { code: "REPLY_TOO_LARGE" } });
    expect((await world.turn(id, "on")).at(-1)).toMatchObject({ status: "completed" });
  }
});
