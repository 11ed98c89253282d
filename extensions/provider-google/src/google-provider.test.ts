import type { MessagePart, ModelMessage } from "@incipit/schema";
import {
  modelProvidersPoint,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
} from "@incipit/service-contract";
import {
  modelRequest,
  replyMessage,
  startExtension,
  startRecordingModelServer,
  userMessage as user,
  type RecordingModelServer,
} from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

const tools = [
  { name: "a", description: "A", inputSchema: { type: "object", properties: { x: { type: "number" } } } },
];
const question = user("one");

async function open(scope: AsyncDisposableStack): Promise<{
  readonly server: RecordingModelServer;
  readonly provider: ModelProvider;
  readonly reopen: () => Promise<ModelProvider>;
}> {
  const server = scope.use(await startRecordingModelServer({ isStrict: true }));
  const reopen = async (): Promise<ModelProvider> => {
    const started = await startExtension(extension, {
      config: { providers: { google: { kind: "google", base_url: server.urlOf("gemini"), api_key_env: "K" } } },
      env: { K: "AIza-test" },
      net: server,
    });
    return scope.use(started).contribution(modelProvidersPoint);
  };
  return { server, provider: await reopen(), reopen };
}

async function ask(from: ModelProvider, options: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  const usual = { model: "gemini-2.5-flash", systemPrompt: ["Be brief."] };
  return Array.fromAsync(from.stream(modelRequest({ ...usual, ...options })));
}

interface Body {
  readonly systemInstruction?: unknown;
  readonly contents: readonly { readonly role: string; readonly parts: readonly unknown[] }[];
}

function bodiesOf(server: RecordingModelServer): readonly Body[] {
  return server.requests.map(({ body }) => JSON.parse(body));
}

function results(message: ModelMessage): ModelMessage {
  return {
    role: "tool",
    parts: message.parts.flatMap((part): MessagePart[] =>
      part.type === "tool-call"
        ? [{ type: "tool-result", toolCallId: part.toolCallId, name: part.name, output: "done", isError: false }]
        : [],
    ),
  };
}

test("createAiSdkProvider(google) joins system texts without repetitions, and omits an empty systemInstruction", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);

  await ask(provider, { systemPrompt: ["Be brief.", "Be kind.", "Be brief."] });
  await ask(provider, { systemPrompt: [] });

  const [several, none] = bodiesOf(server);
  expect(several?.systemInstruction).toEqual({ parts: [{ text: "Be brief.\n\nBe kind." }] });
  expect(none).not.toHaveProperty("systemInstruction");
  expect(server.requests.map(({ path }) => path)).toEqual(
    ["", ""].map(() => "/v1beta/models/gemini-2.5-flash:streamGenerateContent"),
  );
  expect(server.requests[0]?.headers["x-goog-api-key"]).toBe("AIza-test");
});

test("createAiSdkProvider(google) writes contents last, invalid arguments as none, and errors as errors", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const call: ModelMessage = {
    role: "assistant",
    parts: [
      { type: "tool-call", toolCallId: "t", name: "a", input: '{ "x" : 1.0 }' },
      { type: "tool-call", toolCallId: "u", name: "a", input: '{"cut' },
    ],
  };
  const failed: ModelMessage = {
    role: "tool",
    parts: [
      { type: "tool-result", toolCallId: "t", name: "a", output: "done", isError: false },
      { type: "tool-result", toolCallId: "u", name: "a", output: "no such file", isError: true },
    ],
  };

  await ask(provider, { tools, messages: [question, call, failed] });

  const [body] = bodiesOf(server);
  expect(Object.keys(body ?? {}).at(-1)).toBe("contents");
  expect(body?.contents).toEqual([
    { role: "user", parts: [{ text: "one" }] },
    {
      role: "model",
      parts: [
        { functionCall: { id: "t", name: "a", args: { x: 1 } } },
        { functionCall: { id: "u", name: "a", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "t", name: "a", response: { name: "a", content: "done" } } },
        { functionResponse: { id: "u", name: "a", response: { name: "a", error: "no such file" } } },
      ],
    },
  ]);
});

for (const id of ["", "call-7"]) {
  test(`createAiSdkProvider(google) returns signatures and thoughts, with a stable id for a call ${id === "" ? "without an id" : "with one"}`, async () => {
    await using scope = new AsyncDisposableStack();
    const { server, provider, reopen } = await open(scope);
    const model = "gemini-3-pro-preview";
    const calls = [
      { name: "a", arguments: '{"x":1}' },
      { name: "a", arguments: "{}" },
    ].map((call, index) => ({
      ...call,
      id: id === "" ? "" : `${id}-${index}`,
    }));
    server.enqueue(
      { kind: "tool-calls", reasoning: { text: "Hm", signature: "c2lnLTE=" }, text: "I look", calls },
      { kind: "text", chunks: ["It is ", "done"], reasoning: { text: "So", signature: "c2lnLTI=" } },
    );

    const messages = [question];
    const calling = replyMessage(await ask(provider, { model, tools, messages }));
    messages.push(calling, results(calling));
    messages.push(replyMessage(await ask(provider, { model, tools, messages: [...messages] })), user("two"));
    await ask(provider, { model, tools, messages: [...messages] });
    await ask(await reopen(), { model, tools, messages: structuredClone(messages) });

    const [first, second, third, restarted] = server.requests.map(({ body }) => body);
    const ids = calling.parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    expect(new Set(ids).size).toBe(2);
    if (id !== "") expect(ids).toEqual(["call-7-0", "call-7-1"]);
    expect(bodiesOf(server)[2]?.contents.slice(1)).toEqual([
      {
        role: "model",
        parts: [
          { text: "Hm", thought: true },
          { text: "I look" },
          { functionCall: { id: ids[0], name: "a", args: { x: 1 } }, thoughtSignature: "c2lnLTE=" },
          { functionCall: { id: ids[1], name: "a", args: {} } },
        ],
      },
      { role: "user", parts: ids.map((each) => ({ functionResponse: expect.objectContaining({ id: each }) })) },
      {
        role: "model",
        parts: [
          { text: "So", thought: true },
          { text: "It is done", thoughtSignature: "c2lnLTI=" },
        ],
      },
      { role: "user", parts: [{ text: "two" }] },
    ]);
    expect(second).toStartWith(first?.slice(0, -2) ?? "none");
    expect(third).toStartWith(second?.slice(0, -2) ?? "none");
    expect(restarted).toBe(third);
  });
}

test("createAiSdkProvider(google) opens only the first message with the system text for Gemma", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider, reopen } = await open(scope);
  const model = "gemma-3-27b-it";
  const systemPrompt = ["Be brief.", "Be kind."];
  const messages = [question, replyMessage(await ask(provider, { model, systemPrompt })), user("two")];

  await ask(provider, { model, systemPrompt, messages });
  await ask(await reopen(), { model, systemPrompt, messages });
  await ask(provider, { model, systemPrompt, messages: [...messages, user("three")] });

  const [first, second, restarted, third] = server.requests.map(({ body }) => body);
  expect(bodiesOf(server)[1]).not.toHaveProperty("systemInstruction");
  expect(bodiesOf(server)[1]?.contents).toEqual([
    { role: "user", parts: [{ text: "Be brief.\n\nBe kind.\n\n" }, { text: "one" }] },
    { role: "model", parts: [{ text: "Reply 1" }] },
    { role: "user", parts: [{ text: "two" }] },
  ]);
  expect(second).toStartWith(first?.slice(0, -2) ?? "none");
  expect(restarted).toBe(second);
  expect(third).toBe(`${second?.slice(0, -2)},{"role":"user","parts":[{"text":"three"}]}]}`);
});

test("createAiSdkProvider(google) sends files with their text in stable bytes", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const image = { type: "file", mediaType: "image/png", data: "AAEC/w==", filename: "é\n.png" } as const;
  const messages: ModelMessage[] = [{ role: "user", parts: [{ type: "text", text: "See NUL \u0000" }, image] }];

  await ask(provider, { messages });
  await ask(provider, {
    messages: [...messages, { role: "assistant", parts: [{ type: "text", text: "ok" }] }, question],
  });

  const [first, second] = server.requests.map(({ body }) => body);
  expect(bodiesOf(server)[0]?.contents).toEqual([
    {
      role: "user",
      parts: [{ text: "See NUL \u0000" }, { inlineData: { mimeType: "image/png", data: "AAEC/w==" } }],
    },
  ]);
  expect(second).toStartWith(first?.slice(0, -2) ?? "none");
});

test("createAiSdkProvider(google) omits thoughts and signatures for another model and restores them for their own", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const pro = "gemini-3-pro-preview";
  const flash = "gemini-2.5-flash";
  const call = { id: "t", name: "a", arguments: "{}" };
  server.enqueue({ kind: "tool-calls", reasoning: { text: "Hm", signature: "c2lnLTE=" }, calls: [call] });
  const calling = { ...replyMessage(await ask(provider, { model: pro, tools })), model: `google/${pro}` };
  const messages = [question, calling, results(calling)];

  await ask(provider, { model: flash, tools, messages });
  await ask(provider, { model: pro, tools, messages });
  const foreign = messages.map((message) =>
    message === calling ? { ...calling, model: `google/${flash}` } : message,
  );
  await ask(provider, { model: pro, tools, messages: foreign, conversationId: "other" });

  const functionCall = { id: "t", name: "a", args: {} };
  const unsigned = { functionCall };
  expect(bodiesOf(server).map(({ contents }) => contents[1]?.parts)).toEqual([
    undefined,
    [unsigned],
    [
      { text: "Hm", thought: true },
      { functionCall, thoughtSignature: "c2lnLTE=" },
    ],
    [{ functionCall, thoughtSignature: "skip_thought_signature_validator" }],
  ]);
});

test("createAiSdkProvider(google) does not auto-continue: one step is one request", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const candidate = { content: { role: "model", parts: [{ text: "half" }] }, finishReason: "CONTINUATION" };
  const event = {
    candidates: [{ ...candidate, continuationToken: "more" }],
    usageMetadata: { promptTokenCount: 4 },
  };
  const headers = { "content-type": "text/event-stream" };
  server.enqueue({ kind: "error", status: 200, body: `data: ${JSON.stringify(event)}\n\n`, headers });

  const events = await ask(provider);

  expect(events.at(-1)).toMatchObject({ type: "finish", finishReason: "length", usage: { inputTokens: 4 } });
  expect(server.requests).toHaveLength(1);
});

test("createAiSdkProvider(google) omits empty texts and messages without parts", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const empty = { type: "text", text: "" } as const;
  const messages: readonly ModelMessage[] = [
    { role: "user", parts: [empty, { type: "text", text: "one" }] },
    { role: "assistant", parts: [empty, { type: "reasoning", text: "" }] },
    { role: "assistant", parts: [] },
    { role: "user", parts: [] },
    user("two"),
  ];

  await ask(provider, { messages });

  expect(bodiesOf(server)[0]?.contents).toEqual([
    { role: "user", parts: [{ text: "one" }] },
    { role: "user", parts: [{ text: "two" }] },
  ]);
});

test("createAiSdkProvider(google) reports filtered prompts with the vendor's message, and unfinished replies", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const blocked = (message: object): string =>
    `data: ${JSON.stringify({
      promptFeedback: { blockReason: "PROHIBITED_CONTENT", ...message },
      usageMetadata: { promptTokenCount: 4 },
    })}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  server.enqueue(
    { kind: "text", chunks: ["half"], end: "content-filter", explanation: "Not this reply." },
    { kind: "error", status: 200, body: blocked({}), headers },
    { kind: "error", status: 200, body: blocked({ blockReasonMessage: "Not this prompt." }), headers },
    { kind: "tool-calls", calls: [{ id: "", name: "a", arguments: '{"cut' }] },
  );

  const ends: unknown[] = [];
  for (let count = 0; count < 4; count += 1) ends.push((await ask(provider, { tools })).at(-1));

  const filtered = { type: "finish", finishReason: "content-filter" };
  expect(ends).toMatchObject([
    { ...filtered, explanation: "Not this reply." },
    { ...filtered, usage: { inputTokens: 4, outputTokens: 0 } },
    { ...filtered, explanation: "Not this prompt." },
    {
      type: "failure",
      error: { code: "CUT_OFF", message: expect.stringContaining("MALFORMED_FUNCTION_CALL"), isRetryable: true },
    },
  ]);
});

test("createAiSdkProvider(google) rejects an empty last message", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, provider } = await open(scope);
  const answer: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "ok" }] };

  for (const messages of [[user("")], [question, answer, user("")]])
    expect(await ask(provider, { messages })).toMatchObject([{ type: "failure", error: { code: "BAD_REQUEST" } }]);

  expect(server.requests).toEqual([]);
});
