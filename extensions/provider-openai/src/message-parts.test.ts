import type { ModelMessage } from "@incipit/schema";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import {
  modelRequest,
  replyMessage,
  startRecordingModelServer,
  userMessage,
  type RecordingModelServer,
} from "@incipit/testkit";
import { expect, test } from "bun:test";
import type { ConfiguredEndpoint } from "./configuration.ts";
import { openaiAt } from "./testing/openai-at.ts";

const tools = [{ name: "a", description: "A", inputSchema: { type: "object" } }];

function provider(kind: ConfiguredEndpoint["kind"], server: RecordingModelServer): ModelProvider {
  return openaiAt(server.url, { kind, api: "chat" });
}

async function ask(from: ModelProvider, options: Partial<ModelRequest>): Promise<readonly ModelEvent[]> {
  return Array.fromAsync(from.stream(modelRequest({ systemPrompt: ["s"], tools, ...options })));
}

function bodiesOf(server: RecordingModelServer): readonly { readonly messages: readonly unknown[] }[] {
  return server.requests.map(({ body }) => JSON.parse(body));
}

const question = userMessage("one");
const answered: ModelMessage = {
  role: "tool",
  parts: [{ type: "tool-result", toolCallId: "t", name: "a", output: "done", isError: false }],
};

test("createOpenaiProvider returns a thought signature with its call, byte for byte, across restarts", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  const kept = provider("openai-compatible", server);
  const thoughtSignature = "Q2k+/=\u0000é🎉";
  server.enqueue({
    kind: "tool-calls",
    calls: [{ id: "t", name: "a", arguments: '{ "x": 1 }', thoughtSignature }],
  });

  const events = await ask(kept, { messages: [question] });
  const messages = [question, replyMessage(events), answered];
  await ask(kept, { messages });
  await ask(kept, {
    messages: [...messages, { role: "assistant", parts: [{ type: "text", text: "ok" }] }, question],
  });
  await ask(provider("openai-compatible", server), { messages: structuredClone(messages) });

  const [first, second, third, restarted] = server.requests.map(({ body }) => body);
  expect(events.find(({ type }) => type === "tool-call")).toHaveProperty("metadata");
  expect(bodiesOf(server)[1]?.messages[2]).toMatchObject({
    tool_calls: [{ id: "t", extra_content: { google: { thought_signature: thoughtSignature } } }],
  });
  expect(second).toStartWith(first?.slice(0, -2) ?? "none");
  expect(third).toStartWith(second?.slice(0, -2) ?? "none");
  expect(restarted).toBe(second);
});

test("createOpenaiProvider(deepseek) returns reasoning to models from V4 on and never to earlier ones", async () => {
  for (const [model, isSent] of [
    ["deepseek-v4-pro", true],
    ["deepseek-flash", true],
    ["deepseek-reasoner", false],
    ["deepseek-chat", false],
  ] as const) {
    await using server = await startRecordingModelServer({ isStrict: true });
    const kept = provider("deepseek", server);
    server.enqueue({ kind: "tool-calls", reasoning: "Hm\n🎉", calls: [{ id: "t", name: "a", arguments: "{}" }] });

    const messages = [question, replyMessage(await ask(kept, { model, messages: [question] })), answered];
    await ask(kept, { model, messages });
    await ask(kept, {
      model,
      messages: [...messages, { role: "assistant", parts: [{ type: "text", text: "ok" }] }, question],
    });
    await ask(provider("deepseek", server), { model, messages });

    const [first, second, third, restarted] = server.requests.map(({ body }) => body);
    const sent = { role: "assistant", reasoning_content: "Hm\n🎉" };
    if (isSent) expect(bodiesOf(server)[1]?.messages[2]).toMatchObject(sent);
    else expect(second).not.toContain("Hm");
    expect(second).toStartWith(first?.slice(0, -2) ?? "none");
    expect(third).toStartWith(second?.slice(0, -2) ?? "none");
    expect(restarted).toBe(second);
  }
});

function otherField(field: string): string {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = { index: 0, id: "t", type: "function", function: { name: "a", arguments: "{}" } };
  return `${chunk({ [field]: "Hm" })}${chunk({ tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
}

test("createOpenaiProvider(openai-compatible) returns reasoning_content to the model that sent it", async () => {
  for (const [model, next, field, isSent] of [
    ["qwen-4", "qwen-4", "reasoning_content", true],
    ["qwen-4", "other", "reasoning_content", false],
    ["gpt-oss", "gpt-oss", "reasoning", false],
    ["deepseek-ai/DeepSeek-V4-Pro", "deepseek-ai/DeepSeek-V4-Pro", "reasoning_content", true],
    ["deepseek-reasoner", "deepseek-reasoner", "reasoning_content", false],
  ] as const) {
    await using server = await startRecordingModelServer({ isStrict: true });
    const kept = provider("openai-compatible", server);
    const headers = { "content-type": "text/event-stream" };
    server.enqueue({ kind: "error", status: 200, body: otherField(field), headers });
    const reply = { ...replyMessage(await ask(kept, { model, messages: [question] })), model: `local/${model}` };
    const messages = [question, reply, answered];

    await ask(kept, { model: next, messages });
    await ask(kept, { model: next, messages: [...messages, question] });
    await ask(provider("openai-compatible", server), { model: next, messages: structuredClone(messages) });

    const [first, second, third, restarted] = server.requests.map(({ body }) => body);
    const sent = { role: "assistant", ...(isSent ? { reasoning_content: "Hm" } : {}) };
    expect(bodiesOf(server)[1]?.messages[2]).toMatchObject(sent);
    expect(second?.includes("Hm")).toBe(isSent);
    if (model === next) expect(second).toStartWith(first?.slice(0, -2) ?? "none");
    expect(third).toStartWith(second?.slice(0, -2) ?? "none");
    expect(restarted).toBe(second);
  }
});

const image = { type: "file", mediaType: "image/png", data: "AAEC/w==", filename: "é\n.png" } as const;
const pdf = { type: "file", mediaType: "application/pdf", data: "JVBERg==", filename: "a b.pdf" } as const;

for (const [kind, model, files] of [
  ["openai", "m", [image, pdf]],
  ["openai-compatible", "m", [image]],
  ["deepseek", "deepseek-v4-flash-vision-exp", [image]],
] as const) {
  test(`createOpenaiProvider(${kind}) sends files in the protocol's format with stable bytes`, async () => {
    await using server = await startRecordingModelServer({ isStrict: true });
    const kept = provider(kind, server);
    const parts = [{ type: "text", text: "See NUL \u0000" }, ...files, { type: "text", text: "🎉" }] as const;
    const messages: ModelMessage[] = [{ role: "user", parts }];
    await ask(kept, { model, messages });
    messages.push({ role: "assistant", parts: [{ type: "text", text: "ok" }] }, question);
    await ask(kept, { model, messages });
    await ask(provider(kind, server), { model, messages });

    const [first, second, restarted] = server.requests.map(({ body }) => body);
    const written = {
      "image/png": { type: "image_url", image_url: { url: "data:image/png;base64,AAEC/w==" } },
      "application/pdf": {
        type: "file",
        file: { filename: "a b.pdf", file_data: "data:application/pdf;base64,JVBERg==" },
      },
    } as const;
    expect(bodiesOf(server)[0]?.messages[1]).toEqual({
      role: "user",
      content: [
        { type: "text", text: "See NUL \u0000" },
        ...files.map(({ mediaType }) => written[mediaType]),
        { type: "text", text: "🎉" },
      ],
    });
    expect(files.every(({ mediaType }) => kept.acceptsFile?.({ model, mediaType }))).toBe(true);
    expect(second).toStartWith(first?.slice(0, -2) ?? "none");
    expect(restarted).toBe(second);
  });
}

test("acceptsFile rejects files that would block the conversation", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  for (const [kind, model, mediaType] of [
    ["openai", "m", "image/svg+xml"],
    ["openai", "m", "text/plain"],
    ["openai-compatible", "m", "application/pdf"],
    ["deepseek", "deepseek-chat", "image/png"],
  ] as const)
    expect(provider(kind, server).acceptsFile?.({ model, mediaType })).toBe(false);
});
