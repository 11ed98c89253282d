import { expect, test } from "bun:test";
import fc from "fast-check";
import OpenAI from "openai";
import { eventOf } from "../sse/event-data.ts";
import type { ReplyFinish, ReplyItem, ReplyDelta } from "../reply/reply-event.ts";
import { ChatReply } from "./chat-reply.ts";
import { ChatStream } from "./chat-stream.ts";
import { ChunkReader } from "./chunk-reader.ts";

const head = { id: "chatcmpl-1", created: 1_700_000_000, model: "acme/m" };

function newStream(limits: Partial<{ maxArgumentsLength: number; maxSilentParts: number }> = {}): ChatStream {
  const reader = new ChunkReader("compatible");
  const newId = (): string => "made";
  return new ChatStream({
    reader,
    metadataKey: "acme",
    newId,
    maxArgumentsLength: 1e6,
    maxSilentParts: 100,
    ...limits,
  });
}

function read(
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length],
  stream = newStream(),
): readonly ReplyItem[] {
  const items: ReplyItem[] = [];
  for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    items.push(...stream.take(bytes.slice(at, at + size)));
    at += size;
  }
  return [...items, ...stream.end()];
}

const text = fc.string({ unit: "binary", minLength: 1 });
const said: fc.Arbitrary<readonly ReplyDelta[]> = fc
  .array(
    fc.oneof(
      text.map((delta): ReplyDelta => ({ type: "reasoning-delta", partId: "r", text: delta })),
      text.map((delta): ReplyDelta => ({ type: "text-delta", partId: "t", text: delta })),
    ),
    { maxLength: 6 },
  )
  .chain((deltas) =>
    fc.array(fc.json(), { maxLength: 3 }).map((inputs) => [
      ...deltas,
      ...inputs.map((input, index): ReplyDelta => ({
        type: "tool-call",
        toolCallId: `t${index}`,
        name: "a",
        input,
      })),
    ]),
  );
const count = fc.option(fc.nat());
const finish: fc.Arbitrary<ReplyFinish> = fc.record({
  type: fc.constant("finish"),
  finishReason: fc.constantFrom("length", "content-filter", "stop"),
  usage: fc.record({
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: fc.nat(),
  }),
});

function streamed(events: readonly ReplyDelta[], end: ReplyFinish): Uint8Array {
  const reply = new ChatReply(head);
  const chunks = events.flatMap((event) => {
    const delta = reply.take(event);
    return delta === undefined ? [] : [reply.chunk(delta)];
  });
  const all = [
    reply.chunk({ role: "assistant", content: "" }),
    ...chunks,
    ...reply.lastChunks(end, { hasUsage: true }),
  ];
  return new TextEncoder().encode([...all.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map(eventOf).join(""));
}

function joined(events: readonly ReplyItem[], type: "text-delta" | "reasoning-delta"): string {
  return events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("");
}

test("ChatStream parses the output of ChatReply for any chunk size", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 });
  const property = fc.property(said, finish, sizes, (events, end, pieces) => {
    const bytes = streamed(events, end);
    const items = read(bytes, pieces);

    expect(items).toEqual([...read(bytes)]);
    for (const type of ["text-delta", "reasoning-delta"] as const)
      expect(joined(items, type)).toBe(joined(events, type).toWellFormed());
    const calls = events.filter(({ type }) => type === "tool-call");
    expect(items.filter(({ type }) => type === "tool-call")).toEqual([...calls]);
    const isKnown = end.usage.inputTokens !== null || end.usage.outputTokens !== null;
    const isStop = end.finishReason === "stop" && calls.length > 0;
    expect(items.at(-1)).toMatchObject({
      type: "finish",
      finishReason: isStop ? "tool-calls" : end.finishReason,
      usage: isKnown ? end.usage : { inputTokens: null, outputTokens: null },
    });
  });
  fc.assert(property);
});

test("ChatReply output is accepted by OpenAI's client, streamed and complete", async () => {
  const property = fc.asyncProperty(said, finish, async (events, end) => {
    const reply = new ChatReply(head);
    for (const event of events) reply.take(event);
    const whole = JSON.stringify(reply.completion(end));
    const answers = [new Response(streamed(events, end)), Response.json(JSON.parse(whole))];
    const client = new OpenAI({
      apiKey: "k",
      baseURL: "http://acme.test/v1",
      fetch: async () => answers.shift() ?? Response.error(),
    });
    const request = { model: "m", messages: [] };

    const final = await client.chat.completions.stream(request).finalChatCompletion();
    const given = await client.chat.completions.create(request);

    for (const { choices, usage } of [final, given]) {
      const { message, finish_reason: reason } = choices[0] ?? {};
      expect(message?.content ?? "").toBe(joined(events, "text-delta").toWellFormed());
      const calls = (message?.tool_calls ?? []).map((call) =>
        call.type === "function" ? [call.id, call.function.name, call.function.arguments] : [],
      );
      expect(calls).toEqual(
        events.flatMap((event) =>
          event.type === "tool-call" ? [[event.toolCallId, event.name, event.input]] : [],
        ),
      );
      const isStop = end.finishReason === "stop";
      expect(reason).toBe(
        isStop
          ? calls.length > 0
            ? "tool_calls"
            : "stop"
          : end.finishReason === "length"
            ? "length"
            : "content_filter",
      );
      expect(usage?.prompt_tokens ?? null).toBe(end.usage.inputTokens);
      expect(usage?.completion_tokens ?? null).toBe(end.usage.outputTokens);
    }
  });
  await fc.assert(property, { numRuns: 50 });
});

const call = (said: object): string => eventOf(JSON.stringify({ choices: [{ delta: { tool_calls: [said] } }] }));
const bytesOf = (events: readonly string[]): Uint8Array => new TextEncoder().encode(events.join(""));

test("ChatStream joins a call's arguments for any split", () => {
  const property = fc.property(fc.json(), fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), (input, cuts) => {
    const places = [0, ...cuts.map((cut) => Math.min(cut, input.length)), input.length].toSorted((a, b) => a - b);
    const pieces = places.slice(1).map((end, index) => input.slice(places[index], end));
    const opening = { index: 0, id: "t1", function: { name: "a", arguments: "" } };
    const going = pieces.map((piece) => ({ index: 0, function: { arguments: piece } }));
    const end = eventOf(JSON.stringify({ choices: [{ finish_reason: "tool_calls" }] }));

    expect(read(bytesOf([...[opening, ...going].map(call), end]))).toEqual([
      { type: "tool-call-start", toolCallId: "t1", name: "a" },
      { type: "tool-call", toolCallId: "t1", name: "a", input },
      expect.objectContaining({ type: "finish", finishReason: "tool-calls" }),
    ]);
  });
  fc.assert(property);
});

test("ChatStream stops at too long arguments, and at too many empty chunks", () => {
  const tooLarge = { type: "problem", problem: { kind: "too-large" } } as const;
  const opening = call({ index: 0, id: "t1", function: { name: "a", arguments: "1234" } });
  const going = call({ index: 0, function: { arguments: "5" } });
  const empty = eventOf(JSON.stringify({ id: "c", choices: [] }));

  const long = read(bytesOf([opening, going, going]), undefined, newStream({ maxArgumentsLength: 5 }));
  const silent = read(bytesOf([empty, empty, empty, empty]), undefined, newStream({ maxSilentParts: 3 }));

  expect(long).toEqual([{ type: "tool-call-start", toolCallId: "t1", name: "a" }, tooLarge]);
  expect(silent).toEqual([tooLarge]);
});

test("ChatStream rejects prototype pollution", () => {
  for (const said of [
    '{"choices":[],"__proto__":{}}',
    '{"choices":[],"a":{"\\u005f_proto__":1}}',
    '{"a":{"constructor":{"prototype":1}}}',
  ])
    expect(read(bytesOf([eventOf(said)]))).toMatchObject([
      { problem: { kind: "unreadable", message: expect.stringContaining("forbidden prototype property") } },
    ]);
});

function progressAfter(...choices: readonly object[]): string {
  const stream = newStream();
  for (const choice of choices)
    stream.take(new TextEncoder().encode(`data: ${JSON.stringify({ ...head, choices: [choice] })}\n\n`));
  return stream.progress;
}

test("ChatStream.progress is whole after a finish reason", () => {
  const end = { delta: {}, finish_reason: "stop" };
  expect(progressAfter({ delta: { content: "Hello" } })).toBe("open");
  expect(progressAfter({ delta: { content: "Hello" } }, end)).toBe("whole");
  expect(progressAfter({ delta: { content: "Hello" }, finish_reason: "stop" }, end)).toBe("whole");
});

test("ChatStream.progress stays open for a server that repeats a finish reason per chunk", () => {
  const first = { delta: { role: "assistant", content: "" }, finish_reason: "stop" };
  expect(progressAfter(first)).toBe("open");
  expect(progressAfter({ delta: { content: "Hel" }, finish_reason: "stop" }, { delta: { content: "lo" } })).toBe(
    "open",
  );
});
