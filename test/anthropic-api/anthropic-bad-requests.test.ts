import { anthropicErrorResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createChatWorld } from "../openai-api/chat-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());

const user = { role: "user", content: "Hello" };
const use = (id: string): object => ({ type: "tool_use", id, name: "look", input: {} });
const calling = { role: "assistant", content: [use("c1"), use("c2")] };
const result = (...ids: readonly string[]): object => ({
  role: "user",
  content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "seen" })),
});
const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "Of tea" } };
const saying = (block: object): object => ({ messages: [{ role: "user", content: [block] }] });
const tool = { name: "look", input_schema: { type: "object" } };

async function refusalOf(answer: Promise<Response>): Promise<readonly [number, string, string]> {
  const response = await answer;
  const { error } = anthropicErrorResponseSchema.parse(await response.json());
  return [response.status, error.type, error.message];
}

const badRequests: readonly (readonly [object, string])[] = [
  [{}, '"messages"'],
  [{ messages: [] }, "at least one message"],
  [{ messages: "Hello" }, '"messages"'],
  [{ messages: [{ role: "wizard", content: "x" }] }, '"user", "assistant" or "system"'],
  [{ messages: [{ role: "user", content: [] }] }, '"messages.0.content": must not be empty'],
  [{ messages: [{ role: "user", content: [{ type: "video" }] }] }, '"tool_result"'],
  [
    {
      messages: [{ role: "user", content: [{ type: "image", source: { type: "url", url: "https://x.test/a" } }] }],
    },
    "fetches nothing",
  ],
  [
    {
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "%" } }],
        },
      ],
    },
    '"messages.0.content.0.source.data": must be padded base64',
  ],
  [{ messages: [user, result("c1")] }, '"messages.1.content.0.tool_use_id"'],
  [{ messages: [user, calling] }, "a `tool_result` for each `tool_use`"],
  [{ messages: [user, calling, result("c2")] }, 'without a result: "c1"'],
  [{ messages: [user, calling, result("c2", "c2")] }, '"messages.2.content.1.tool_use_id"'],
  [{ messages: [user, { role: "assistant", content: [use("c1"), use("c1")] }] }, "another call of this message"],
  [{ messages: [user], max_tokens: 0 }, '"max_tokens"'],
  [{ messages: [user], temperature: 2 }, '"temperature"'],
  [{ messages: [user], tools: [tool, tool] }, '"look" is the name of another tool'],
  [{ messages: [user], tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools that Anthropic runs"],
  [{ messages: [user], tools: [{ name: "look" }] }, '"tools.0.input_schema"'],
  [{ messages: [user], tool_choice: { type: "any" } }, "without `tools`"],
  [{ messages: [user], tools: [tool], tool_choice: { type: "tool", name: "hear" } }, '"hear" is not a tool'],
  [{ messages: [user], thinking: { type: "enabled" } }, "budget_tokens"],
  [{ messages: [user], output_config: { format: { type: "xml" } } }, '"output_config.format.type"'],
  [{ messages: [user], output_config: { format: { type: "json_schema" } } }, '"output_config.format.schema"'],
  [{ messages: [user], top_k: -4 }, '"top_k"'],
  [{ messages: [user], model: "keyless/gpt", top_k: 4 }, '"top_k"'],
  [{ messages: [user], wizard: true }, '"wizard"'],
  [{ messages: [{ ...user, wizard: true }] }, '"messages.0.wizard": unknown key'],
  [saying({ type: "text", text: "x", wizard: true }), '"messages.0.content.0.wizard": unknown key'],
  [saying({ ...document, wizard: true }), '"messages.0.content.0.wizard"'],
  [saying({ ...document, citations: { enabled: true } }), "citations are not supported"],
  [saying({ ...document, source: { ...document.source, wizard: 1 } }), '"messages.0.content.0.source.wizard"'],
  [
    { messages: [user, { role: "assistant", content: [{ ...use("c1"), wizard: true }] }] },
    '"messages.1.content.0.wizard"',
  ],
  [
    {
      messages: [
        user,
        { role: "assistant", content: [{ ...use("c1"), caller: { type: "code_execution_20260120" } }] },
      ],
    },
    'must be "direct"',
  ],
  [saying({ type: "tool_result", tool_use_id: "c1", toolset_name: "x" }), "toolsets are not supported"],
  [
    saying({ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "x", wizard: true }] }),
    '"messages.0.content.0.content.0.wizard"',
  ],
  [{ messages: [user], system: [{ type: "text", text: "x", wizard: true }] }, '"system.0.wizard"'],
  [{ messages: [user], tools: [{ ...tool, wizard: true }] }, '"tools.0.wizard": unknown key'],
  [{ messages: [user], tools: [{ ...tool, allowed_callers: ["code_execution_20260120"] }] }, '"direct" alone'],
  [{ messages: [user], tools: [tool], tool_choice: { type: "auto", wizard: true } }, '"tool_choice.wizard"'],
  [{ messages: [user], thinking: { type: "adaptive", wizard: true } }, '"thinking.wizard": unknown key'],
  [{ messages: [user], metadata: { user_id: "ada", wizard: true } }, '"metadata.wizard": unknown key'],
  [{ messages: [user], output_config: { wizard: true } }, '"output_config.wizard"'],
];

for (const [body, words] of badRequests)
  test(`POST /v1/messages names the invalid field: ${JSON.stringify(body).slice(0, 90)}`, async () => {
    const asked = { model: "local/test-model", max_tokens: 5, ...body };
    const [status, type, message] = await refusalOf(world.host.fetch("/v1/messages", { body: asked }));

    expect([status, type]).toEqual([400, "invalid_request_error"]);
    expect(message).toContain(words);
    expect(world.model.requests).toHaveLength(0);
  });

test("errors of the API itself have Anthropic's format only below /v1/messages", async () => {
  const post = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${world.host.url}${path}`, { method: "POST", ...init });
  const key = { "x-api-key": world.host.token, "content-type": "application/json" };

  expect(await refusalOf(post("/v1/messages", {}))).toEqual([401, "authentication_error", expect.any(String)]);
  expect(await refusalOf(post("/v1/messages", { headers: key, body: "{" }))).toEqual([
    400,
    "invalid_request_error",
    expect.any(String),
  ]);
  expect(await refusalOf(post("/v1/messages/nowhere", { headers: key }))).toEqual([
    404,
    "not_found_error",
    expect.any(String),
  ]);
  expect((await post("/v1/chat/nowhere", { headers: key })).status).toBe(404);
  // This kind of key is not valid elsewhere.
  expect((await fetch(`${world.host.url}/conversations`, { headers: key })).status).toBe(401);
});
