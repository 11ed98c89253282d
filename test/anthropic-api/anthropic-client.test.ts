import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import { jsonSchemaOutputFormat } from "@anthropic-ai/sdk/helpers/json-schema";
import { stepRequestResponseSchema } from "@incipit/schema";
import { modelCallResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createChatWorld, failed } from "../openai-api/chat-world.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());
const client = new Anthropic({ baseURL: world.host.url, apiKey: world.host.token });

const base = { model: "local/test-model", max_tokens: 50 } as const;
const hello: Anthropic.MessageParam[] = [{ role: "user", content: "Hello" }];
const weather: Anthropic.Tool = {
  name: "weather",
  description: "Tells the weather",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("[sent-is-shown] an Anthropic client's request uses the host's prompt and is recorded byte for byte", async () => {
  const sampling = { temperature: 0.25, top_k: 40 }; // Removed from the SDK's types, but supported by most models.
  const { data, response } = await client.messages
    .create({ ...base, ...sampling, messages: hello, stop_sequences: ["END"] })
    .withResponse();
  const id = response.headers.get("x-incipit-call-id");

  expect(response.headers.get("request-id")).toBe(id);
  expect(data).toMatchObject({
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: "local/test-model",
    content: [{ type: "text", text: "Reply 1", citations: null }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 12, cache_read_input_tokens: 8, cache_creation_input_tokens: 0, output_tokens: 5 },
  });
  const sent = world.lastRequest();
  expect(systemTexts(sent)).toEqual(["Be of use."]);
  expect(JSON.parse(sent)).toMatchObject({
    model: "test-model",
    temperature: 0.25,
    top_k: 40,
    max_tokens: 50,
    stop: ["END"],
  });
  const read = stepRequestResponseSchema.parse(await world.host.json(`/calls/${id}/request`));
  expect(read.body).toBe(sent);
  const { call } = modelCallResponseSchema.parse(await world.host.json(`/calls/${id}`));
  expect(call).toMatchObject({ status: "completed", attempts: 1, finishReason: "stop" });
});

test("an Anthropic client's system messages replace or follow the host's prompt", async () => {
  const system = [
    { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
    { type: "text", text: "Be kind." },
  ] as const;
  await client.messages.create({ ...base, messages: hello, system: [...system] });
  const replaced = systemTexts(world.lastRequest());
  await client.post("/v1/messages", {
    body: {
      ...base,
      model: "default",
      messages: hello,
      system: "Rhyme.",
      systemMode: "append",
      profile: "reviewer",
    },
  });

  expect(replaced.join("\n\n")).toBe("Be brief.\n\nBe kind.");
  expect(systemTexts(world.lastRequest()).join("\n\n")).toBe(`Review in ${world.cwd}.\n\nRhyme.`);
});

test("[byte-prefix] a system message within an Anthropic client's history keeps its place and prefix", async () => {
  const told = { role: "system", content: "It is night." };
  const ask = async (messages: readonly object[]): Promise<string> => {
    await client.post("/v1/messages", { body: { ...base, messages } });
    return world.lastRequest();
  };
  const first = [{ role: "system", content: "Be brief." }, ...hello, told];

  const before = await ask(first);
  const after = await ask([
    ...first,
    { role: "assistant", content: "Reply" },
    { role: "user", content: "And now?" },
  ]);

  expect(systemTexts(before)).toEqual(["Be brief."]);
  expect(JSON.parse(before)).toMatchObject({
    messages: [
      { role: "system" },
      { role: "user", content: "Hello" },
      // Messages for an unknown server alternate roles.
      { role: "assistant", content: "(no answer)" },
      { role: "user", content: "<system-instructions>\nIt is night.\n</system-instructions>" },
    ],
  });
  expect(after).toStartWith(prefixOf(before));
});

test("an Anthropic client's stream has text and tool-use blocks that form the same message", async () => {
  world.model.enqueue({
    kind: "tool-calls",
    calls: [
      { id: "c1", name: "weather", arguments: '{"city":"Porto"}' },
      { id: "c2", name: "weather", arguments: '{"city": "Vigo"}' },
    ],
  });
  const types: string[] = [];
  const stream = client.messages.stream({ ...base, messages: hello, tools: [weather] });
  stream.on("streamEvent", ({ type }) => types.push(type));

  const message = await stream.finalMessage();

  expect(message.stop_reason).toBe("tool_use");
  expect(message.content).toMatchObject([
    { type: "tool_use", name: "weather", input: { city: "Porto" } },
    { type: "tool_use", name: "weather", input: { city: "Vigo" } },
  ]);
  expect(types).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);

  const ids = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  const results: Anthropic.ToolResultBlockParam[] = ids.map((id, index) => ({
    type: "tool_result",
    tool_use_id: id,
    content: index === 0 ? "Rain" : [{ type: "text", text: "No station" }],
    is_error: index === 1,
  }));
  const answer = client.messages.stream({
    ...base,
    tools: [weather],
    messages: [
      ...hello,
      { role: "assistant", content: message.content },
      { role: "user", content: [...results, { type: "text", text: "And tomorrow?" }] },
    ],
  });
  const said: string[] = [];
  answer.on("text", (text) => said.push(text));
  const last = await answer.finalMessage();

  expect(last.content).toMatchObject([{ type: "text", text: said.join("") }]);
  expect(last.usage).toMatchObject({ input_tokens: 12, output_tokens: 5 });
  const sent: unknown = JSON.parse(world.lastRequest());
  expect(sent).toMatchObject({
    messages: [
      { role: "system" },
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        tool_calls: [
          { function: { name: "weather", arguments: '{"city":"Porto"}' } },
          { function: { name: "weather", arguments: '{"city":"Vigo"}' } },
        ],
      },
      { role: "tool", content: "Rain" },
      { role: "tool", content: expect.stringContaining("No station") },
      // Templates of an unknown server may accept no user message after a result.
      { role: "assistant", content: "(no answer)" },
      { role: "user", content: "And tomorrow?" },
    ],
    stream: true,
  });
});

test("thinking is a separate Anthropic block and returns to models that accept it", async () => {
  world.model.enqueue({ kind: "text", reasoning: { text: "Hm. Yes." }, chunks: ["Tea"] });
  const stream = client.messages.stream({
    ...base,
    messages: hello,
    thinking: { type: "enabled", budget_tokens: 2_000 },
  });
  const { content } = await stream.finalMessage();
  const asked: unknown = JSON.parse(world.lastRequest());

  await client.messages.create({
    ...base,
    messages: [...hello, { role: "assistant", content }, { role: "user", content: "Go on" }],
  });

  expect(content).toMatchObject([
    { type: "thinking", thinking: "Hm. Yes.", signature: expect.stringMatching(/^incipit:/) },
    { type: "text", text: "Tea" },
  ]);
  expect(asked).toMatchObject({ reasoning_effort: "low" });
  expect(JSON.parse(world.lastRequest())).toMatchObject({
    messages: [{}, {}, { role: "assistant", content: "Tea" }, { role: "user", content: "Go on" }],
  });
});

test("pictures and documents of an Anthropic client reach the model, tool results' after the result", async () => {
  const image: Anthropic.ImageBlockParam = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: png },
  };
  await client.messages.create({
    ...base,
    messages: [
      { role: "user", content: [image, { type: "text", text: "What is it?" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "zoom", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: [image] }] },
    ],
  });

  const sent = world.lastRequest();
  expect(sent.split(png)).toHaveLength(3);
  expect(JSON.parse(sent)).toMatchObject({
    messages: [
      {},
      { role: "user" },
      { role: "assistant", tool_calls: [{}] },
      { role: "tool", content: "" },
      { role: "assistant", content: "(no answer)" },
      { role: "user" },
    ],
  });
});

test("an Anthropic client's tool choice is converted to OpenAI's format", async () => {
  const ask = async (choice: Anthropic.ToolChoice): Promise<unknown> => {
    await client.messages.create({ ...base, messages: hello, tools: [weather], tool_choice: choice });
    return JSON.parse(world.lastRequest());
  };

  expect(await ask({ type: "any", disable_parallel_tool_use: true })).toMatchObject({
    tool_choice: "required",
    parallel_tool_calls: false,
  });
  expect(await ask({ type: "tool", name: "weather" })).toMatchObject({
    tool_choice: { type: "function", function: { name: "weather" } },
  });
  expect(await ask({ type: "none" })).toMatchObject({ tool_choice: "none" });
});

test("an Anthropic client's answer schema reaches the model, and the answer is parsed", async () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  } as const;
  world.model.enqueue({ kind: "text", chunks: ['{"city":"Porto"}'] });
  const answer = await client.messages.parse({
    ...base,
    messages: hello,
    output_config: { format: jsonSchemaOutputFormat(schema) },
  });

  expect(answer.parsed_output).toEqual({ city: "Porto" });
  expect(JSON.parse(world.lastRequest())).toMatchObject({
    response_format: { type: "json_schema", json_schema: { schema } },
  });
});

test("token estimates for an Anthropic client make no call and grow with the text", async () => {
  const count = async (messages: Anthropic.MessageParam[], more: object = {}): Promise<number> => {
    const { input_tokens: tokens } = await client.messages.countTokens({ model: base.model, messages, ...more });
    return tokens;
  };
  const few = await count(hello);
  const more = await count([{ role: "user", content: "Hello ".repeat(400) }]);

  expect(few).toBe(2);
  expect(more).toBe(600);
  expect(await count(hello, { tools: [weather], system: "Be brief." })).toBeGreaterThan(few + 20);
  expect(world.model.requests).toHaveLength(0);
});

test("an Anthropic client receives typed errors and does not repeat the host's retries", async () => {
  const ask = (more: object = {}): Promise<unknown> =>
    failed(client.messages.create({ ...base, messages: hello, ...more }));
  const stranger = new Anthropic({ baseURL: world.host.url, apiKey: "incipit_wrong" });

  const wrongKey = await failed(stranger.messages.create({ ...base, messages: hello }));
  const noModel = await ask({ model: "nobody/x" });
  const noMessages = await ask({ messages: [] });
  world.model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no such thing"}}' });
  const refused = await ask();
  const requests = world.model.requests.length;
  world.model.answer = () => ({ kind: "error", status: 429, body: "{}", headers: { "retry-after": "0" } });
  const limited = await ask();
  world.model.answer = () => undefined;
  const tries = world.model.requests.length - requests;
  const id = limited instanceof APIError ? limited.requestID : null;
  const { call } = modelCallResponseSchema.parse(await world.host.json(`/calls/${id}`));

  expect(wrongKey).toBeInstanceOf(AuthenticationError);
  expect(noModel).toBeInstanceOf(NotFoundError);
  expect(noMessages).toBeInstanceOf(BadRequestError);
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(limited).toBeInstanceOf(RateLimitError);
  expect(refused instanceof APIError && refused.error).toMatchObject({
    type: "error",
    error: { type: "invalid_request_error", message: expect.stringContaining("no such thing") },
    request_id: expect.any(String),
  });
  expect([noModel, refused, limited].map((error) => error instanceof APIError && error.errorCode)).toEqual([
    "model_unknown",
    "bad_request",
    "rate_limited",
  ]);
  expect(tries).toBe(call.attempts);
});

test("closing an Anthropic client's stream aborts the model call", async () => {
  world.model.enqueue({ kind: "text", chunks: ["Never", " ends"], gate: true });
  const stream = client.messages.stream({ ...base, messages: hello });
  for await (const event of stream) if (event.type === "content_block_delta") break;
  stream.abort();

  await world.model.waitFor(({ requests }) => requests.at(-1)?.isAborted === true);
});
