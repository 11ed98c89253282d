import { stepRequestResponseSchema } from "@incipit/schema";
import { responsesEventTypes } from "@incipit/testkit";
import { modelCallResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError } from "openai";
import { createChatWorld, failed } from "./chat-world.ts";
import { HostProcess } from "../support/host-process.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());
const client = new OpenAI({ baseURL: world.baseURL, apiKey: world.host.token });

const model = "local/test-model";
const weather: OpenAI.Responses.FunctionTool = {
  type: "function",
  name: "weather",
  description: "Tells the weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  strict: false,
};

test("[sent-is-shown] a responses request uses the host's prompt and is recorded byte for byte", async () => {
  const { data, response } = await client.responses
    .create({ model, input: "Hello", temperature: 0.25, max_output_tokens: 50, reasoning: { effort: "low" } })
    .withResponse();
  const id = response.headers.get("x-incipit-call-id");

  expect(data).toMatchObject({
    id: `resp_${id}`,
    object: "response",
    status: "completed",
    model,
    output_text: "Reply 1",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Reply 1" }] }],
    usage: {
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 8 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 25,
    },
  });
  const sent = world.lastRequest();
  expect(systemTexts(sent)).toEqual(["Be of use."]);
  expect(JSON.parse(sent)).toMatchObject({ temperature: 0.25, max_tokens: 50, reasoning_effort: "low" });
  const read = stepRequestResponseSchema.parse(await world.host.json(`/calls/${id}/request`));
  expect(read.body).toBe(sent);
  const { call } = modelCallResponseSchema.parse(await world.host.json(`/calls/${id}`));
  expect(call).toMatchObject({ status: "completed", attempts: 1, finishReason: "stop" });
});

test("the responses stream has items for reasoning, text and calls that form the same response", async () => {
  world.model.enqueue({ kind: "text", reasoning: { text: "Hm." }, chunks: ["Tea", " time"] });
  const types: string[] = [];
  const numbers: number[] = [];
  const stream = client.responses.stream({ model, input: "Hello" });
  stream.on("event", (event) => {
    types.push(event.type);
    numbers.push(event.sequence_number);
  });
  const response = await stream.finalResponse();
  world.model.enqueue({
    kind: "tool-calls",
    calls: [{ id: "c1", name: "weather", arguments: '{"city":"Porto"}' }],
  });
  const called = await client.responses.stream({ model, input: "Weather?", tools: [weather] }).finalResponse();

  expect(response.output).toMatchObject([
    { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
    { type: "message", content: [{ text: "Tea time" }] },
  ]);
  expect(response.output_text).toBe("Tea time");
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(types).toEqual([...responsesEventTypes]);
  expect(called.output).toMatchObject([{ type: "function_call", name: "weather", arguments: '{"city":"Porto"}' }]);
});

test("[byte-prefix] a response continues the previous one with a tool result, also after a restart", async () => {
  await using own = await createChatWorld();
  const { host, options, model: server } = own;
  const first = new OpenAI({ baseURL: own.baseURL, apiKey: host.token });
  server.enqueue({ kind: "tool-calls", calls: [{ id: "c1", name: "weather", arguments: '{"city":"Porto"}' }] });
  const tools = [weather];
  const called = await first.responses.create({ model, tools, instructions: "Be brief.", input: "Weather?" });
  const [call] = called.output;
  const before = own.lastRequest();
  await host[Symbol.asyncDispose]();
  await using again = await HostProcess.start(options);
  const second = new OpenAI({ baseURL: `${again.url}/v1`, apiKey: again.token });

  const told = await second.responses.create({
    model,
    tools,
    instructions: "Be brief.",
    previous_response_id: called.id,
    input: [
      { type: "function_call_output", call_id: call?.type === "function_call" ? call.call_id : "", output: "Rain" },
    ],
  });
  const behindTool = own.lastRequest();
  const last = await second.responses.create({
    model,
    tools,
    instructions: "Be brief.",
    previous_response_id: told.id,
    input: "And tomorrow?",
  });
  const items = await Array.fromAsync(second.responses.inputItems.list(last.id));
  const read = await second.responses.retrieve(told.id);
  await second.responses.delete(called.id);
  const gone = await failed(second.responses.create({ model, previous_response_id: last.id, input: "Hello" }));

  expect(behindTool).toStartWith(prefixOf(before));
  expect(own.lastRequest()).toStartWith(prefixOf(behindTool));
  expect(JSON.parse(own.lastRequest())).toMatchObject({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather?" },
      { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: '{"city":"Porto"}' } }] },
      { role: "tool", content: "Rain" },
      { role: "assistant", content: told.output_text },
      { role: "user", content: "And tomorrow?" },
    ],
  });
  expect(items).toMatchObject([{ type: "message", role: "user", content: "And tomorrow?" }]);
  expect(read).toMatchObject({ id: told.id, output_text: told.output_text, previous_response_id: called.id });
  expect(gone).toBeInstanceOf(NotFoundError);
});

test("[token-scopes] a response is visible only to its token, and one with store=false to none", async () => {
  const { secret } = await world.newToken();
  const stranger = new OpenAI({ baseURL: world.baseURL, apiKey: secret });
  const mine = await client.responses.create({ model, input: "Hello" });
  const unstored = await client.responses.create({ model, input: "Hello", store: false });

  const refusals = [
    await failed(stranger.responses.retrieve(mine.id)),
    await failed(stranger.responses.delete(mine.id)),
    await failed(stranger.responses.create({ model, input: "Go on", previous_response_id: mine.id })),
    await failed(
      stranger.responses.create({ model, input: [{ type: "item_reference", id: mine.output[0]?.id ?? "" }] }),
    ),
    await failed(client.responses.retrieve(unstored.id)),
    await failed(client.responses.retrieve("resp_nowhere")),
  ];

  expect(refusals.map((error) => error instanceof APIError && error.status)).toEqual([
    404, 404, 404, 400, 404, 404,
  ]);
  expect((await client.responses.retrieve(mine.id)).id).toBe(mine.id);
  expect(unstored).toMatchObject({ store: false });
});

test("structured outputs of a responses client are the provider's, and are parsed", async () => {
  world.model.enqueue({ kind: "text", chunks: ['{"city":"Porto"}'] });
  const schema = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  };
  const response = await client.responses.parse({
    model,
    input: "Where?",
    text: { format: { type: "json_schema", name: "place", schema, strict: true } },
  });

  expect(JSON.parse(response.output_text)).toEqual({ city: "Porto" });
  expect(JSON.parse(world.lastRequest())).toMatchObject({
    response_format: { type: "json_schema", json_schema: { name: "place", schema, strict: true } },
  });
});

test("unsupported fields of a responses client are rejected before a model call", async () => {
  const refusals: readonly (readonly [object, string | null])[] = [
    [{}, "input"],
    [{ input: [] }, "input"],
    [{ input: [{ type: "message", role: "wizard", content: "x" }] }, "input[0].role"],
    [{ input: [{ type: "computer_call" }] }, "input[0].type"],
    [{ input: [{ type: "function_call_output", call_id: "c9", output: "x" }] }, "input[0].call_id"],
    [{ input: [{ type: "function_call", call_id: "c1", name: "a", arguments: "{}" }] }, "input[0].call_id"],
    [{ input: "x", tools: [{ type: "code_interpreter" }] }, "tools[0].type"],
    [{ input: "x", tools: [weather, weather] }, "tools[1].name"],
    [{ input: "x", tool_choice: "required" }, "tool_choice"],
    [{ input: "x", background: "yes" }, "background"],
    [{ input: "x", conversation: 1 }, "conversation"],
    [{ input: "x", wizard: 1 }, "wizard"],
    [{ input: [{ type: "item_reference", id: "msg_1" }] }, "input[0].id"],
    [
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "https://x.test/a.png" }] }] },
      "input[0].content[0].image_url",
    ],
  ];
  for (const [body, param] of refusals) {
    const error = await failed(client.post("/responses", { body: { model, ...body } }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error instanceof APIError && error.param).toBe(param);
  }
  const stored = await client.responses.create({ model, input: "Hello" });
  expect(await failed(client.responses.cancel(stored.id))).toBeInstanceOf(BadRequestError);
  const wrongKey = new OpenAI({ baseURL: world.baseURL, apiKey: "wrong" });
  expect(await failed(wrongKey.responses.create({ model, input: "x" }))).toBeInstanceOf(AuthenticationError);
  expect(world.model.requests).toHaveLength(1);
});

test("a stream that fails ends as failed with a reason, and disconnecting stops the call", async () => {
  world.model.enqueue({ kind: "cut", chunks: ["Half", " a reply"] });
  const events = await Array.fromAsync(await client.responses.create({ model, input: "Hello", stream: true }));
  world.model.enqueue({ kind: "text", chunks: ["Never", " ends"], gate: true });
  const stream = await client.responses.create({ model, input: "Hello", stream: true });
  for await (const event of stream) if (event.type === "response.output_text.delta") break;

  expect(events.at(-1)).toMatchObject({
    type: "response.failed",
    response: { status: "failed", error: { code: "cut_off", message: expect.any(String) } },
  });
  await world.model.waitFor(({ requests }) => requests.at(-1)?.isAborted === true);
});

test("a response leaves no data when requests are not recorded", async () => {
  await using own = await createChatWorld("[records]\nrequests = false");
  const sdk = new OpenAI({ baseURL: own.baseURL, apiKey: own.host.token });

  const { id, output_text: said } = await sdk.responses.create({ model, input: "Hello" });

  expect(said).toBe("Reply 1");
  expect(await failed(sdk.responses.retrieve(id))).toBeInstanceOf(NotFoundError);
});
