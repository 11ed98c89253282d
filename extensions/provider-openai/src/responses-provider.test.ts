import type { ModelMessage } from "@incipit/schema";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import {
  modelRequest,
  replyMessage,
  startRecordingModelServer,
  userMessage,
  type ModelReply,
  type RecordingModelServer,
} from "@incipit/testkit";
import { expect, test } from "bun:test";
import { openaiAt } from "./testing/openai-at.ts";

const tools = [{ name: "a", description: "A", inputSchema: { type: "object" } }];
const question = userMessage("one");
const answer: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "ok" }] };
const answered: ModelMessage = {
  role: "tool",
  parts: [{ type: "tool-result", toolCallId: "t", name: "a", output: "done", isError: false }],
};

function startServer(): Promise<RecordingModelServer> {
  return startRecordingModelServer({ wire: "openai-responses", isStrict: true });
}

function provider(server: RecordingModelServer): ModelProvider {
  return openaiAt(server.urlOf("openai-responses"), { kind: "openai", id: "openai" });
}

async function ask(from: ModelProvider, options: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  const usual = {
    model: "gpt-5.2",
    conversationId: "0192-conversation",
    systemPrompt: ["First.", "Second."],
    tools,
  };
  return Array.fromAsync(from.stream(modelRequest({ ...usual, ...options })));
}

function bodiesOf(server: RecordingModelServer): readonly Record<string, unknown>[] {
  return server.requests.map(({ body }) => JSON.parse(body));
}

function said(events: readonly ModelEvent[]): ModelMessage {
  return replyMessage(events, "openai/gpt-5.2");
}

const thought = { text: "Hm\n🎉", signature: "ZW5jcnlwdGVk" };
const thoughtful: ModelReply = {
  kind: "tool-calls",
  reasoning: thought,
  calls: [{ id: "t", name: "a", arguments: '{ "x" : 1.0 }' }],
};

test("responsesVendor requests no storage, and sends system texts in order at the head of input", async () => {
  await using server = await startServer();

  await ask(provider(server));

  const [request] = server.requests;
  const [body] = bodiesOf(server);
  expect(request?.path).toBe("/v1/responses");
  expect(body).toMatchObject({
    model: "gpt-5.2",
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "0192-conversation",
    tools: [{ type: "function", name: "a", strict: false }],
    input: [
      { role: "system", content: "First." },
      { role: "system", content: "Second." },
      { role: "user", content: [{ type: "input_text", text: "one" }] },
    ],
  });
  expect(body).not.toHaveProperty("instructions");
  expect(Object.keys(body ?? {}).slice(-2)).toEqual(["tools", "input"]);
});

test("[byte-prefix] responsesVendor returns reasoning unchanged, within the loop, later and after a restart", async () => {
  await using server = await startServer();
  const kept = provider(server);
  server.enqueue(thoughtful);

  const messages = [question, said(await ask(kept)), answered];
  await ask(kept, { messages });
  await ask(kept, { messages: [...messages, answer, question] });
  await ask(provider(server), { messages: structuredClone(messages) });

  const [first, second, third, restarted] = server.requests.map(({ body }) => body);
  expect(bodiesOf(server)[1]?.["input"]).toMatchObject([
    {},
    {},
    {},
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: thought.text }],
      encrypted_content: thought.signature,
    },
    { type: "function_call", call_id: "t", name: "a", arguments: '{ "x" : 1.0 }' },
    { type: "function_call_output", call_id: "t", output: "done" },
  ]);
  expect(second).toStartWith(first?.slice(0, -2) ?? "none");
  expect(third).toStartWith(second?.slice(0, -2) ?? "none");
  expect(restarted).toBe(second);
});

/** The recording server does not produce this order. */
function streamOf(items: readonly { readonly type: string; readonly [field: string]: unknown }[]): ModelReply {
  const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5.2", status: "completed" };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const events = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...items.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { ...response, output: items, usage } },
  ];
  return eventsOf(events);
}

function eventsOf(events: readonly object[]): ModelReply {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return { kind: "error", status: 200, body, headers: { "content-type": "text/event-stream" } };
}

test("[byte-prefix] responsesVendor returns each reasoning item before what followed it", async () => {
  await using server = await startServer();
  const kept = provider(server);
  const reasoning = (id: string) =>
    ({ type: "reasoning", id: `rs_${id}`, encrypted_content: `enc ${id}`, summary: [] }) as const;
  const call = (id: string) =>
    ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name: "a",
      arguments: "{}",
      status: "completed",
    }) as const;
  server.enqueue(streamOf([reasoning("1"), call("x"), call("y"), reasoning("2"), call("z")]));

  const reply = said(await ask(kept));
  const results: ModelMessage = {
    role: "tool",
    parts: ["x", "y", "z"].map((toolCallId) => ({
      type: "tool-result",
      toolCallId,
      name: "a",
      output: "done",
      isError: false,
    })),
  };
  const messages = [question, reply, results];
  await ask(kept, { messages });
  await ask(kept, { messages: [...messages, answer, question] });
  await ask(provider(server), { messages: structuredClone(messages) });
  await ask(kept, { model: "gpt-5.1", messages });

  const [, second, third, restarted] = server.requests.map(({ body }) => body);
  const itemsOf = (index: number): readonly unknown[] => {
    const input = bodiesOf(server)[index]?.["input"];
    return Array.isArray(input) ? input.map((item) => item.id ?? item.call_id ?? item.role) : [];
  };
  const before = ["system", "system", "user"];
  expect(reply.parts.map(({ type }) => type)).toEqual([
    "reasoning",
    "reasoning",
    "tool-call",
    "tool-call",
    "tool-call",
  ]);
  expect(itemsOf(1)).toEqual([...before, "rs_1", "x", "y", "rs_2", "z", "x", "y", "z"]);
  expect(third).toStartWith(second?.slice(0, -2) ?? "none");
  expect(restarted).toBe(second);
  expect(itemsOf(4)).toEqual([...before, "x", "y", "z", "x", "y", "z"]);
});

test("responsesVendor omits reasoning of other models and reasoning without a result", async () => {
  await using server = await startServer();
  const kept = provider(server);
  server.enqueue(thoughtful);
  const reply = said(await ask(kept));
  const loose = { ...reply, parts: reply.parts.filter(({ type }) => type === "reasoning") };

  await ask(kept, { model: "gpt-5.1", messages: [question, reply, answered] });
  await ask(kept, { messages: [question, loose, question] });

  expect(server.requests).toHaveLength(3);
  for (const { body } of server.requests.slice(1)) expect(body).not.toContain(thought.signature);
  expect(server.requests[1]?.body).toContain('"function_call"');
});

test("responsesVendor keeps a cache breakpoint after the last system text, for models that support it", async () => {
  await using server = await startServer();
  const kept = provider(server);
  const next = [question, answer, question];
  for (const model of ["gpt-5.5", "gpt-5.6-sol", "gpt-6"]) await ask(kept, { model, conversationId: model });
  await ask(kept, { model: "gpt-5.6-sol", conversationId: "gpt-5.6-sol", messages: next });

  const last = { mode: "explicit" };
  const marked = [
    { role: "system", content: "First." },
    { role: "system", content: [{ type: "input_text", text: "Second.", prompt_cache_breakpoint: last }] },
  ];
  expect(bodiesOf(server).map(({ input }) => (Array.isArray(input) ? input.slice(0, 2) : input))).toEqual([
    [
      { role: "system", content: "First." },
      { role: "system", content: "Second." },
    ],
    marked,
    marked,
    marked,
  ]);
  expect(server.requests[3]?.body).toStartWith(server.requests[1]?.body.slice(0, -2) ?? "none");
});

test("responsesVendor distinguishes reported from unreported usage, including cache reads and writes", async () => {
  await using server = await startServer();
  const kept = provider(server);
  const usages = [
    { inputTokens: 100, outputTokens: 7, cacheReadTokens: 80, cacheWriteTokens: 0 },
    { inputTokens: 100, outputTokens: 7 },
    "absent",
  ] as const;
  server.enqueue(...usages.map((usage) => ({ kind: "text", chunks: ["a"], usage }) as const));

  const ends = [await ask(kept), await ask(kept), await ask(kept)].map((events) => events.at(-1));

  const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  const by = (id: string): object => ({ response: { id, model: "test-model" } });
  expect(ends).toEqual([
    { type: "finish", finishReason: "stop", usage: { ...usages[0], reasoningTokens: 0 }, ...by("resp_1") },
    {
      type: "finish",
      finishReason: "stop",
      usage: { ...unreported, inputTokens: 100, outputTokens: 7, reasoningTokens: 0 },
      ...by("resp_2"),
    },
    { type: "finish", finishReason: "stop", usage: unreported, ...by("resp_3") },
  ]);
});

const failures = [
  ["context_length_exceeded", "CONTEXT_TOO_LONG", false],
  ["rate_limit_exceeded", "RATE_LIMITED", true],
  ["insufficient_quota", "NO_CREDIT", false],
  ["server_error", "VENDOR_FAILED", true],
  ["invalid_prompt", "BAD_REQUEST", false],
] as const;

for (const [code, expected, isRetryable] of failures) {
  test(`responsesVendor ends with ${expected} for ${code}, as an error event, in a failed response and as an answer`, async () => {
    await using server = await startServer();
    const kept = provider(server);
    const error = { message: "no", code };
    const status =
      code === "rate_limit_exceeded" || code === "insufficient_quota" ? 429 : code === "server_error" ? 500 : 400;
    server.enqueue(
      { kind: "error-event", chunks: [], error },
      { kind: "error-event", chunks: ["half"], error },
      { kind: "error", status, body: JSON.stringify({ error: { ...error, type: code } }) },
    );

    const ends = [await ask(kept), await ask(kept), await ask(kept)].map((events) => events.at(-1));

    expect(ends).toMatchObject([
      { type: "failure", error: { code: expected, isRetryable } },
      // Half of the reply was shown: a retry would show it twice.
      { type: "failure", error: { code: expected, isRetryable: false } },
      { type: "failure", error: { code: expected, isRetryable } },
    ]);
  });
}

const begun = {
  type: "response.created",
  response: {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "gpt-5.2",
    status: "in_progress",
    output: [],
  },
};
const tooLong = {
  type: "invalid_request_error",
  code: "context_length_exceeded",
  message: "too long",
  param: "input",
};
const oddEnds = [
  [
    "an error within the error event",
    { type: "error", sequence_number: 1, error: tooLong },
    "CONTEXT_TOO_LONG",
    "too long",
  ],
  [
    "a failed response without an error",
    { type: "response.failed", sequence_number: 1, response: { ...begun.response, status: "failed", error: null } },
    "VENDOR_FAILED",
    "does not say why",
  ],
  [
    "a chunk of chat completions",
    {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta: { content: "a" } }],
    },
    "BAD_REQUEST",
    'set api = "chat"',
  ],
] as const;

for (const [name, event, code, fact] of oddEnds) {
  test(`responsesVendor ends with ${code} for ${name}`, async () => {
    await using server = await startServer();
    server.enqueue(eventsOf([begun, event]));

    const events = await ask(provider(server));

    expect(events).toMatchObject([{ type: "failure", error: { code, message: expect.stringContaining(fact) } }]);
  });
}

test("responsesVendor describes unreadable responses briefly", async () => {
  await using server = await startServer();
  server.enqueue(eventsOf([begun, { type: "response.failed", response: "x".repeat(10_000) }]));

  const [failure] = await ask(provider(server));

  expect(failure).toMatchObject({ type: "failure", error: { code: "BAD_RESPONSE" } });
  expect(JSON.stringify(failure).length).toBeLessThan(700);
});

test("responsesVendor ignores unknown events and items", async () => {
  await using server = await startServer();
  const item = { type: "message", id: "msg_1", role: "assistant", content: [] };
  const { response } = begun;
  server.enqueue(
    eventsOf([
      begun,
      { type: "response.new_thing", x: 1 },
      { type: "response.output_item.added", output_index: 0, item: { type: "new_item", id: "new_1" } },
      { type: "response.output_item.added", output_index: 1, item },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, content_index: 0, delta: "Hello" },
      { type: "response.output_item.done", output_index: 1, item },
      { type: "response.completed", response: { ...response, status: "completed", usage: null } },
    ]),
  );

  const events = await ask(provider(server));

  expect(events.map(({ type }) => type)).toEqual(["text-start", "text-delta", "text-end", "finish"]);
});

test("[attack:vendor-whole-calls] responsesVendor aborts a reply of endless complete calls", async () => {
  await using server = await startRecordingModelServer();
  /** Each with 1 MiB of arguments, and nothing after them. */
  const calls = (count: number): ModelReply =>
    eventsOf(
      Array.from({ length: count }, (_, output_index) => {
        const call = { type: "function_call", id: `fc_${output_index}`, call_id: `${output_index}`, name: "a" };
        const item = { ...call, arguments: JSON.stringify({ x: "x".repeat(1_048_576) }), status: "completed" };
        return [
          { type: "response.output_item.added", output_index, item: { ...call, arguments: "" } },
          { type: "response.output_item.done", output_index, item },
        ];
      }).flat(),
    );
  server.enqueue(calls(9), calls(7));

  const endless = await ask(provider(server));
  const long = await ask(provider(server));

  expect(endless.at(-1)).toMatchObject({ type: "failure", error: { code: "REPLY_TOO_LARGE" } });
  expect(long.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF" } });
});

test("responsesVendor sends supported settings before the input", async () => {
  await using server = await startServer();
  const settings = {
    temperature: 0.5,
    maxOutputTokens: 77,
    seed: 1,
    stopSequences: ["END"],
    toolChoice: { name: "a" },
    responseFormat: { type: "json", name: "n", schema: { type: "object" } },
  } as const;

  await ask(provider(server), { model: "gpt-4.1", settings });
  await ask(provider(server), { settings: { reasoningEffort: "low", maxOutputTokens: 77 } });

  const [plain, reasoning] = bodiesOf(server);
  expect(plain).toMatchObject({
    temperature: 0.5,
    max_output_tokens: 77,
    tool_choice: { type: "function", name: "a" },
    text: { format: { type: "json_schema", name: "n", schema: { type: "object" } } },
  });
  expect(plain).not.toHaveProperty("include");
  expect(reasoning).toMatchObject({ max_output_tokens: 77, reasoning: { effort: "low" } });
  for (const { body } of server.requests) expect(body).toMatch(/"input":\[[^]*\]}$/);
});

test("responsesVendor sends files in the protocol's format with stable bytes", async () => {
  await using server = await startServer();
  const kept = provider(server);
  const parts = [
    { type: "text", text: "See NUL \u0000" },
    { type: "file", mediaType: "image/png", data: "AAEC/w==", filename: "é\n.png" },
    { type: "file", mediaType: "application/pdf", data: "JVBERg==", filename: "a b.pdf" },
  ] as const;
  const messages: ModelMessage[] = [{ role: "user", parts }];

  await ask(kept, { messages });
  messages.push(answer, question);
  await ask(kept, { messages });
  await ask(provider(server), { messages });

  const [first, second, restarted] = server.requests.map(({ body }) => body);
  expect(bodiesOf(server)[0]?.["input"]).toMatchObject([
    {},
    {},
    {
      role: "user",
      content: [
        { type: "input_text", text: "See NUL \u0000" },
        { type: "input_image", image_url: "data:image/png;base64,AAEC/w==" },
        { type: "input_file", filename: "a b.pdf", file_data: "data:application/pdf;base64,JVBERg==" },
      ],
    },
  ]);
  expect(second).toStartWith(first?.slice(0, -2) ?? "none");
  expect(restarted).toBe(second);
});

test("createOpenaiProvider sends a cache key only to OpenAI's own APIs", async () => {
  for (const [kind, api, wire, isNamed] of [
    ["openai", "responses", "openai-responses", true],
    ["openai", "chat", "openai-chat", true],
    ["openai-compatible", undefined, "openai-chat", false],
    ["deepseek", undefined, "deepseek", false],
  ] as const) {
    await using server = await startRecordingModelServer({ wire, isStrict: true });

    await ask(openaiAt(server.urlOf(wire), { kind, ...(api === undefined ? {} : { api }) }));

    expect(bodiesOf(server)[0]?.["prompt_cache_key"]).toBe(isNamed ? "0192-conversation" : undefined);
  }
});

test("createOpenaiProvider uses the Responses API for OpenAI by default", async () => {
  await using server = await startRecordingModelServer({ wire: "openai-responses" });
  const url = server.urlOf("openai-responses");

  await ask(openaiAt(url, { kind: "openai" }));
  await ask(openaiAt(url, { kind: "openai", api: "chat" }));

  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
});
