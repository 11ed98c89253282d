import { modelProvidersPoint } from "@incipit/service-contract";
import { startExtension, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

const usage = { input_tokens: 5, output_tokens: 1 };
const events = [
  {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "toolu_1", name: "a", input: {} },
  },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"x"' } },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];

const blocks = (count: number, type: string): string =>
  Array.from({ length: count }, (_, index) => {
    const block = { type: "content_block_start", index, content_block: { type, text: "" } };
    return `event: content_block_start\ndata: ${JSON.stringify(block)}\n\n`;
  }).join("");

async function lastOf(body: string): Promise<unknown> {
  await using server = await startRecordingModelServer();
  await using world = await startExtension(extension, {
    config: { providers: { claude: { kind: "anthropic", base_url: server.urlOf("anthropic"), api_key_env: "K" } } },
    env: { K: "sk-ant-test" },
    net: server,
  });
  const start = `event: message_start\ndata: ${JSON.stringify(events[0])}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  server.enqueue({ kind: "error", status: 200, body: start + body, headers });
  const given = world.contribution(modelProvidersPoint).stream({
    model: "m",
    conversationId: "c",
    cwd: "/work",
    purpose: "turn",
    systemPrompt: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "x" }] }],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
  });
  return (await Array.fromAsync(given)).at(-1);
}

test("[attack:vendor-silent-parts] provider-anthropic aborts a reply of endless empty blocks", async () => {
  expect(await lastOf(blocks(100_001, "text"))).toMatchObject({ error: { code: "REPLY_TOO_LARGE" } });
  expect(await lastOf(blocks(60_000, "text"))).toMatchObject({ error: { code: "CUT_OFF" } });
}, 300_000);

test("provider-anthropic treats a reply with an unfinished call as incomplete", async () => {
  await using server = await startRecordingModelServer();
  await using world = await startExtension(extension, {
    config: { providers: { claude: { kind: "anthropic", base_url: server.urlOf("anthropic"), api_key_env: "K" } } },
    env: { K: "sk-ant-test" },
    net: server,
  });
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  server.enqueue({ kind: "error", status: 200, body, headers: { "content-type": "text/event-stream" } });

  const given = await Array.fromAsync(
    world.contribution(modelProvidersPoint).stream({
      model: "m",
      conversationId: "c",
      cwd: "/work",
      purpose: "turn",
      systemPrompt: [],
      messages: [{ role: "user", parts: [{ type: "text", text: "x" }] }],
      tools: [{ name: "a", description: "", inputSchema: { type: "object" } }],
      signal: new AbortController().signal,
      observe: () => {},
    }),
  );

  expect(given).toMatchObject([
    { type: "tool-call-start", toolCallId: "toolu_1" },
    { type: "failure", error: { code: "CUT_OFF", isRetryable: true } },
  ]);
});
