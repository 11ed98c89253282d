import { modelProvidersPoint, type ModelEvent, type ModelRequest } from "@incipit/service-contract";
import { modelRequest, startExtension, startRecordingModelServer } from "@incipit/testkit";
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

async function replyTo(body: string, request: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  await using server = await startRecordingModelServer();
  await using world = await startExtension(extension, {
    config: { providers: { claude: { kind: "anthropic", base_url: server.urlOf("anthropic"), api_key_env: "K" } } },
    env: { K: "sk-ant-test" },
    net: server,
  });
  server.enqueue({ kind: "error", status: 200, body, headers: { "content-type": "text/event-stream" } });
  return Array.fromAsync(world.contribution(modelProvidersPoint).stream(modelRequest(request)));
}

const written = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

test("[attack:vendor-silent-parts] provider-anthropic aborts a reply of endless empty blocks", async () => {
  for (const [count, code] of [
    [100_001, "REPLY_TOO_LARGE"],
    [60_000, "CUT_OFF"],
  ] as const)
    expect((await replyTo(`${written[0]}${blocks(count, "text")}`)).at(-1)).toMatchObject({ error: { code } });
}, 300_000);

test("provider-anthropic treats a reply with an unfinished call as incomplete", async () => {
  const given = await replyTo(written.join(""), {
    tools: [{ name: "a", description: "", inputSchema: { type: "object" } }],
  });

  expect(given).toMatchObject([
    { type: "tool-call-start", toolCallId: "toolu_1" },
    { type: "failure", error: { code: "CUT_OFF", isRetryable: true } },
  ]);
});
