import { expect, test } from "bun:test";
import { responsesEventTypes } from "./openai/responses-event-types.ts";
import type { ModelReply } from "./wire/model-reply.ts";
import { startRecordingModelServer, type RecordingModelServer } from "./recording-model-server.ts";
import type { WireName } from "./wire/wire-format.ts";

interface Call {
  readonly path: string;
  readonly body: string;
}

const user = { role: "user", content: "Hello?" };
const calls: Readonly<Record<Exclude<WireName, "deepseek">, Readonly<Record<"streamed" | "whole", Call>>>> = {
  "openai-chat": both("/chat/completions", { model: "m", messages: [user] }),
  "openai-responses": both("/responses", { model: "m", input: [user] }),
  anthropic: both("/messages", { model: "m", max_tokens: 100, messages: [user] }),
  gemini: {
    streamed: geminiCall("streamGenerateContent?alt=sse"),
    whole: geminiCall("generateContent"),
  },
};

function both(path: string, body: object): Readonly<Record<"streamed" | "whole", Call>> {
  return {
    streamed: { path, body: JSON.stringify({ ...body, stream: true }) },
    whole: { path, body: JSON.stringify(body) },
  };
}

function geminiCall(method: string): Call {
  const contents = [{ role: "user", parts: [{ text: "Hello?" }] }];
  return { path: `/models/m:${method}`, body: JSON.stringify({ contents }) };
}

async function ask(
  server: RecordingModelServer,
  wire: keyof typeof calls,
  how: "streamed" | "whole",
): Promise<string> {
  const { path, body } = calls[wire][how];
  return (await fetch(`${server.urlOf(wire)}${path}`, { method: "POST", body })).text();
}

/** Invalid JSON stays text. */
function eventsOf(stream: string): readonly unknown[] {
  return stream
    .split(/\r?\n\r?\n/)
    .filter((event) => event !== "")
    .map((event) => event.replace(/^event: .*\r?\n/, "").slice("data: ".length))
    .map((data): unknown => (data === "[DONE]" ? data : JSON.parse(data)));
}

const text: ModelReply = {
  kind: "text",
  chunks: ["Hel", "lo"],
  reasoning: { text: "Hm", signature: "c2ln", redacted: "cmVk" },
  usage: { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 30 },
};
const toolCalls: ModelReply = {
  kind: "tool-calls",
  calls: [{ id: "t", name: "a", arguments: ['{"x"', ":1}"], thoughtSignature: "c2ln" }],
};

test("startRecordingModelServer implements Anthropic's Messages API with thinking, text and cache usage", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  server.enqueue(text, toolCalls, text);

  const streamed = eventsOf(await ask(server, "anthropic", "streamed"));
  const called = eventsOf(await ask(server, "anthropic", "streamed"));
  const whole: unknown = JSON.parse(await ask(server, "anthropic", "whole"));

  const cached = { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 };
  expect(streamed).toMatchObject([
    { type: "message_start", message: { usage: cached } },
    { type: "ping" },
    { type: "content_block_start", index: 0, content_block: { type: "thinking" } },
    { type: "content_block_delta", index: 0, delta: { thinking: "Hm" } },
    { type: "content_block_delta", index: 0, delta: { signature: "c2ln" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "cmVk" } },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text" } },
    { type: "content_block_delta", index: 2, delta: { text: "Hel" } },
    { type: "content_block_delta", index: 2, delta: { text: "lo" } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  ]);
  expect(called).toMatchObject([
    { type: "message_start" },
    { type: "ping" },
    { content_block: { type: "tool_use", id: "t", name: "a", input: {} } },
    { delta: { partial_json: "" } },
    { delta: { partial_json: '{"x"' } },
    { delta: { partial_json: ":1}" } },
    { type: "content_block_stop" },
    { delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ]);
  expect(whole).toMatchObject({
    content: [{ thinking: "Hm", signature: "c2ln" }, { data: "cmVk" }, { text: "Hello" }],
    usage: { ...cached, output_tokens: 7 },
  });
});

test("startRecordingModelServer implements Gemini's generateContent with thoughts, signatures and omitted zero counts", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  server.enqueue(text, toolCalls, text, {
    kind: "text",
    chunks: ["a"],
    usage: { inputTokens: 3, cacheReadTokens: 0 },
  });

  const streamed = eventsOf(await ask(server, "gemini", "streamed"));
  const called = eventsOf(await ask(server, "gemini", "streamed"));
  const whole: unknown = JSON.parse(await ask(server, "gemini", "whole"));
  const uncached: unknown = JSON.parse(await ask(server, "gemini", "whole"));

  const usage = { promptTokenCount: 100, candidatesTokenCount: 7, cachedContentTokenCount: 60 };
  expect(streamed).toMatchObject([
    { candidates: [{ content: { role: "model", parts: [{ text: "Hm", thought: true }] } }] },
    { candidates: [{ content: { parts: [{ text: "Hel" }] } }] },
    { candidates: [{ content: { parts: [{ text: "lo" }] } }] },
    {
      candidates: [{ content: { parts: [{ text: "", thoughtSignature: "c2ln" }] }, finishReason: "STOP" }],
      usageMetadata: usage,
    },
  ]);
  const call = { functionCall: { id: "t", name: "a", args: { x: 1 } }, thoughtSignature: "c2ln" };
  expect(called[0]).toMatchObject({ candidates: [{ content: { parts: [call] } }] });
  expect(whole).toMatchObject({
    candidates: [{ content: { parts: [{ thought: true }, { text: "Hel" }, { text: "lo" }, { text: "" }] } }],
    usageMetadata: usage,
  });
  expect(uncached).toMatchObject({ usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } });
  expect(JSON.stringify(uncached)).not.toContain("cachedContentTokenCount");
  expect(server.requests.map(({ isStreamed }) => isStreamed)).toEqual([true, true, false, false]);
});

test("startRecordingModelServer implements OpenAI's Responses API with items, encrypted reasoning and failures", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  server.enqueue(
    text,
    toolCalls,
    { kind: "text", chunks: ["a"], end: "length" },
    { kind: "error-event", chunks: ["a"], error: { message: "no", code: "server_error" } },
    { kind: "error-event", chunks: [], error: { message: "no" } },
  );

  const streamed = eventsOf(await ask(server, "openai-responses", "streamed"));
  const called = eventsOf(await ask(server, "openai-responses", "streamed"));
  const long = eventsOf(await ask(server, "openai-responses", "streamed"));
  const failed = eventsOf(await ask(server, "openai-responses", "streamed"));
  const refused = eventsOf(await ask(server, "openai-responses", "streamed"));

  expect(streamed.map((event) => Object(event).type)).toEqual([...responsesEventTypes]);
  expect(streamed.map((event) => Object(event).sequence_number)).toEqual([...streamed.keys()]);
  expect(streamed.at(-1)).toMatchObject({
    response: {
      output: [{ id: "rs_1", encrypted_content: "c2ln" }, { id: "msg_1" }],
      usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } },
    },
  });
  expect(called.at(-1)).toMatchObject({
    response: { output: [{ type: "function_call", id: "fc_2_1", call_id: "t", arguments: '{"x":1}' }] },
  });
  expect(long.at(-1)).toMatchObject({
    type: "response.incomplete",
    response: { incomplete_details: { reason: "max_output_tokens" } },
  });
  expect(failed.at(-1)).toMatchObject({ type: "response.failed", response: { error: { message: "no" } } });
  expect(refused.at(-1)).toMatchObject({ type: "error", message: "no" });
});

for (const wire of ["openai-chat", "openai-responses", "anthropic", "gemini"] as const) {
  test(`startRecordingModelServer in the format of ${wire} supports cut replies, absent usage and error events`, async () => {
    await using server = await startRecordingModelServer({ isStrict: true });
    server.enqueue(
      { kind: "cut", chunks: ["half"] },
      { kind: "tool-calls", calls: [{ id: "t", name: "a", arguments: ['{"x"', ":1"] }], isCut: true },
      { kind: "text", chunks: ["a"], usage: "absent" },
      { kind: "text", chunks: ["a"], usage: "absent" },
      { kind: "error-event", chunks: ["a"], error: { message: "overloaded", code: 503 } },
      { kind: "broken-json" },
      { kind: "broken-json" },
    );

    const cut = await ask(server, wire, "streamed");
    const cutCall = await ask(server, wire, "streamed");
    const unreported = await ask(server, wire, "streamed");
    const wholeUnreported = await ask(server, wire, "whole");
    const failed = await ask(server, wire, "streamed");
    const broken = await ask(server, wire, "streamed");
    const wholeBroken = await ask(server, wire, "whole");

    const ends = /finish_reason":"|\[DONE\]|message_stop|message_delta|finishReason|response\.completed/;
    expect(cut).toContain("half");
    expect(cut).not.toMatch(ends);
    expect(cutCall).not.toMatch(ends);
    expect(unreported).toMatch(ends);
    expect(unreported + wholeUnreported).not.toMatch(/usage/i);
    expect(eventsOf(failed).length).toBeGreaterThan(1);
    expect(JSON.stringify(eventsOf(failed).at(-1))).toContain("overloaded");
    expect(() => eventsOf(broken)).toThrow();
    expect(() => JSON.parse(wholeBroken)).toThrow();
    expect(server.requests.map((request) => request.wire)).toEqual(Array.from({ length: 7 }, () => wire));
  });

  test(`startRecordingModelServer in the format of ${wire} gates all events after the first`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "text", chunks: ["first", "second"], gate: true });
    const { path, body } = calls[wire].streamed;
    const reader = (await fetch(`${server.urlOf(wire)}${path}`, { method: "POST", body })).body?.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);

    const first = await read();
    await server.waitFor(({ waitingChunks }) => waitingChunks === 1);
    server.release();
    const second = await read();

    expect(first).toContain("first");
    expect(first).not.toContain("second");
    expect(second).toContain("second");
  });
}

test("startRecordingModelServer(deepseek) reports hits and misses in DeepSeek's own names", async () => {
  await using server = await startRecordingModelServer({ wire: "deepseek" });
  server.enqueue({ kind: "text", chunks: ["a"], usage: { inputTokens: 10, outputTokens: 1, cacheReadTokens: 6 } });

  const whole: unknown = JSON.parse(await ask(server, "openai-chat", "whole"));

  expect(whole).toMatchObject({ usage: { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 } });
  expect(JSON.stringify(whole)).not.toContain("prompt_tokens_details");
  expect(server.requests.map(({ wire }) => wire)).toEqual(["deepseek"]);
});

test("problems follow the format of the path", async () => {
  await using server = await startRecordingModelServer();
  for (const wire of ["openai-chat", "openai-responses", "anthropic", "gemini"] as const)
    await fetch(`${server.urlOf(wire)}${calls[wire].whole.path}`, { method: "POST", body: "{}" });

  expect(server.problems.map((problem) => problem.slice(0, 18))).toEqual([
    expect.stringContaining("request 1: model"),
    expect.stringContaining("request 1: messa"),
    expect.stringContaining("request 2: model"),
    expect.stringContaining("request 2: input"),
    expect.stringContaining("request 3: model"),
    expect.stringContaining("request 3: max_t"),
    expect.stringContaining("request 3: messa"),
    expect.stringContaining("request 4: conte"),
  ]);
});
