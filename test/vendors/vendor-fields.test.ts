import { expect, test } from "bun:test";
import * as z from "zod";
import { createChatWorld } from "../openai-api/chat-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(
  createChatWorld(
    (model) => `
[providers.gateway]
kind = "openai-compatible"
base_url = "${model.url}"
extra_body = { top_k = 20, provider = { sort = "price", data_collection = "deny" } }
extra_headers = { "X-Title" = "Incipit" }
extra_headers_env = { "X-Gateway-Token" = "GATEWAY" }
[providers.gateway.models."org/small"]
extra_body = { top_k = 5, keep_alive = "10m" }
extra_headers = { "X-Title" = "Small" }
[providers.deepseek]
kind = "deepseek"
base_url = "${model.url}"
api_key_env = "KEY"
[providers.chat]
kind = "openai"
api = "chat"
base_url = "${model.url}"
api_key_env = "KEY"
[providers.responses]
kind = "openai"
base_url = "${model.urlOf("openai-responses")}"
api_key_env = "KEY"
[providers.claude]
kind = "anthropic"
base_url = "${model.urlOf("anthropic")}"
api_key_env = "KEY"
[providers.gemini]
kind = "google"
base_url = "${model.urlOf("gemini")}"
api_key_env = "KEY"
`,
    { KEY: "key-of-the-vendors-1", GATEWAY: "token-of-the-gateway-1" },
  ),
);

const path = "/v1/chat/completions";
const messages = [{ role: "user", content: "Hello" }];
const tools = ["hear", "look"].map((name) => ({ type: "function", function: { name } }));
const sentSchema = z.looseObject({});

async function send(model: string, fields: object): Promise<z.output<typeof sentSchema>> {
  const response = await world.host.fetch(path, { body: { model, messages, ...fields } });
  expect([response.status, response.ok ? "" : await response.text()]).toEqual([200, ""]);
  return sentSchema.parse(JSON.parse(world.lastRequest()));
}

async function refusal(model: string, fields: object): Promise<unknown> {
  const before = world.model.requests.length;
  const response = await world.host.fetch(path, { body: { model, messages, ...fields } });
  expect(world.model.requests).toHaveLength(before);
  return await response.json();
}

const vendorFields: Readonly<Record<string, unknown>> = {
  top_k: 40,
  min_p: 0.05,
  repetition_penalty: 1.1,
  chat_template_kwargs: { enable_thinking: false },
  enable_thinking: true,
  thinking: { type: "enabled" },
  reasoning: { effort: "high", exclude: true },
  provider: { order: ["acme"], allow_fallbacks: false },
  num_ctx: 8192,
  keep_alive: "5m",
  cache_prompt: true,
  guided_regex: "[a-z]+",
  logit_bias: { "50256": -100 },
};

for (const [field, value] of Object.entries(vendorFields)) {
  for (const model of ["local/m", "deepseek/deepseek-chat"]) {
    test(`"${field}" of a request reaches ${model} unchanged`, async () => {
      expect(await send(model, { [field]: value })).toMatchObject({ [field]: value });
    });
  }
}

test("null fields and an empty logit_bias are not sent", async () => {
  const sent = await send("local/m", { top_k: null, logit_bias: {} });

  expect(sent).not.toHaveProperty("top_k");
  expect(sent).not.toHaveProperty("logit_bias");
});

const native: readonly (readonly [string, object, object])[] = [
  ["chat/gpt-4o", { logit_bias: { "1": 5 } }, { logit_bias: { "1": 5 } }],
  ["responses/gpt-5.2", { reasoning: { effort: "low" } }, { reasoning: { effort: "low" } }],
  ["claude/claude-sonnet-5", { top_k: 7 }, { top_k: 7 }],
  [
    "claude/claude-sonnet-5",
    { thinking: { type: "enabled", budget_tokens: 2_048 } },
    { thinking: { type: "enabled", budget_tokens: 2_048 } },
  ],
  ["gemini/gemini-3-pro", { top_k: 7, temperature: 0.5 }, { generationConfig: { topK: 7, temperature: 0.5 } }],
];
for (const [model, fields, expected] of native) {
  test(`${model} receives ${JSON.stringify(fields)} in the format of its own API`, async () => {
    expect(await send(model, fields)).toMatchObject(expected);
  });
}

for (const model of ["chat/gpt-4o", "responses/gpt-5.2", "claude/claude-sonnet-5", "gemini/gemini-3-pro"]) {
  test(`a field unsupported by the API of ${model} is rejected by name before sending`, async () => {
    expect(await refusal(model, { min_p: 0.1 })).toMatchObject({
      error: {
        code: "invalid_request",
        param: "min_p",
        message: expect.stringContaining(`Cannot send "min_p" to "${model}"`),
      },
    });
  });
}

test("extra_body is merged over requests by provider, then model, then the request's own", async () => {
  const plain = await send("gateway/big", {});
  const small = await send("gateway/org/small", {});
  const asked = await send("gateway/org/small", { top_k: 1, provider: { sort: "latency" } });

  expect(plain).toMatchObject({ top_k: 20, provider: { sort: "price", data_collection: "deny" } });
  expect(plain).not.toHaveProperty("keep_alive");
  expect(small).toMatchObject({ top_k: 5, keep_alive: "10m", provider: { sort: "price" } });
  expect(asked).toMatchObject({ top_k: 1, provider: { sort: "latency", data_collection: "deny" } });
});

test("[closed-by-default] extra_headers are sent and recorded, and extra_headers_env only sent", async () => {
  const response = await world.host.fetch(path, { body: { model: "gateway/org/small", messages } });
  const id = response.headers.get("x-incipit-call-id");
  const { headers } = world.model.requests.at(-1) ?? {};
  const record = await world.host.json(`/calls/${id}/request`);

  expect(headers).toMatchObject({ "x-title": "Small", "x-gateway-token": "token-of-the-gateway-1" });
  expect(record).toMatchObject({ headers: { "x-title": "Small", "x-gateway-token": "[redacted:credential]" } });
  expect(JSON.stringify(record)).toContain("keep_alive");
  expect(JSON.stringify(record)).not.toContain("token-of-the-gateway-1");
});

test("a conversation turn is sent with extra_body and extra_headers", async () => {
  const { id } = await world.host.createConversation({ model: "gateway/big" });
  await world.host.turn(id, { input: "Hello" });

  expect(JSON.parse(world.lastRequest())).toMatchObject({ top_k: 20 });
  expect(world.model.requests.at(-1)?.headers).toMatchObject({ "x-title": "Incipit" });
});

const choice = {
  type: "allowed_tools",
  allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "look" } }] },
};
const allowed: readonly (readonly [string, object])[] = [
  ["chat/gpt-4o", { tool_choice: choice, tools: [{ function: { name: "hear" } }, { function: { name: "look" } }] }],
  [
    "responses/gpt-5.2",
    {
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "look" }] },
      tools: [{ name: "hear" }, { name: "look" }],
    },
  ],
  ["local/m", { tool_choice: "required", tools: [{ function: { name: "look" } }] }],
  ["claude/claude-sonnet-5", { tool_choice: { type: "any" }, tools: [{ name: "look" }] }],
  ["gemini/gemini-3-pro", { tools: [{ functionDeclarations: [{ name: "look" }] }] }],
];
for (const [model, expected] of allowed) {
  test(`allowed_tools of a request restricts ${model} to the listed tools`, async () => {
    const sent = await send(model, { tools, tool_choice: choice });

    expect(sent).toMatchObject(expected);
    if (!("hear" in expected)) expect(sent["tools"]).toHaveLength(Reflect.get(expected, "tools").length);
  });
}

test("a request may have over 128 tools, a 64-bit seed, and an empty function list", async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    type: "function",
    function: { name: `tool-${index}` },
  }));
  const sent = await send("local/m", { tools: many, seed: 2 ** 60, functions: [], function_call: "auto" });

  expect(sent["tools"]).toHaveLength(300);
  expect(sent).toMatchObject({ seed: 2 ** 60 });
  expect(sent).not.toHaveProperty("functions");
});

for (const model of ["local/m", "gemini/gemini-3-pro", "deepseek/deepseek-chat"]) {
  test(`parallel_tool_calls: false returns one call of ${model}, even if the endpoint ignores it`, async () => {
    const calls = ["a", "b"].map((id) => ({ id, name: "look", arguments: "{}" }));
    world.model.enqueue({ kind: "tool-calls", calls });
    const answer = await world.host.json(path, {
      body: { model, messages, tools, parallel_tool_calls: false },
    });

    expect(answer).toMatchObject({
      choices: [{ finish_reason: "tool_calls", message: { tool_calls: { length: 1 } } }],
    });
  });
}
