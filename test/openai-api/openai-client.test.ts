import { stepRequestResponseSchema } from "@incipit/schema";
import { modelCallResponseSchema, modelCallsResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from "openai";
import { createChatWorld } from "./chat-world.ts";
import { HostProcess } from "../support/host-process.ts";
import { systemTexts } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());
const client = new OpenAI({ baseURL: world.baseURL, apiKey: world.host.token });

const weather: OpenAI.ChatCompletionTool = {
  type: "function",
  function: {
    name: "weather",
    description: "Tells the weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const hello: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Hello" }];

test("[sent-is-shown] an OpenAI client's request uses the host's prompt and is recorded byte for byte", async () => {
  const { data, response } = await client.chat.completions
    .create({ model: "local/test-model", messages: hello, temperature: 0.25, max_tokens: 50, stop: ["END"] })
    .withResponse();
  const id = response.headers.get("x-incipit-call-id");

  expect(data).toMatchObject({
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    model: "local/test-model",
    choices: [{ index: 0, message: { role: "assistant", content: "Reply 1" }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 5,
      total_tokens: 25,
      prompt_tokens_details: { cached_tokens: 8 },
    },
  });
  const sent = world.lastRequest();
  expect(systemTexts(sent)).toEqual(["Be of use."]);
  expect(JSON.parse(sent)).toMatchObject({ model: "test-model", temperature: 0.25, max_tokens: 50, stop: ["END"] });
  const read = stepRequestResponseSchema.parse(await world.host.json(`/calls/${id}/request`));
  expect(read.body).toBe(sent);
  const { call } = modelCallResponseSchema.parse(await world.host.json(`/calls/${id}`));
  expect(call).toMatchObject({
    status: "completed",
    attempts: 1,
    finishReason: "stop",
    usage: { inputTokens: 20, cacheReadTokens: 8, cacheWriteTokens: null },
  });
});

test("an OpenAI client streams the role, text, the end, and requested usage", async () => {
  world.model.enqueue({ kind: "text", chunks: ["One, ", "two."], reasoning: "Hm" });
  const stream = await client.chat.completions.create({
    model: "default",
    messages: hello,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);

  const shown: readonly unknown[] = chunks.map(({ choices: [choice] }) => [choice?.delta, choice?.finish_reason]);
  expect(shown).toEqual([
    [{ role: "assistant", content: "" }, null],
    [{ reasoning_content: "Hm" }, null],
    [{ content: "One, " }, null],
    [{ content: "two." }, null],
    [{}, "stop"],
    [undefined, undefined],
  ]);
  expect(chunks.map(({ usage }) => usage?.total_tokens ?? null)).toEqual([null, null, null, null, null, 25]);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
});

test("usage that the provider did not report is absent for an OpenAI client, not 0", async () => {
  world.model.enqueue(
    { kind: "text", chunks: ["Yes"], usage: "absent" },
    { kind: "text", chunks: ["Yes"], usage: "absent" },
  );
  const request = { model: "default", messages: hello };
  const whole = await client.chat.completions.create(request);
  const stream = await client.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);

  expect(whole).not.toHaveProperty("usage");
  expect(chunks.map(({ usage }) => usage)).toEqual([null, null, null]);
});

test("an OpenAI client's tools work in both directions, streamed and not", async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Weather in Bern?" }];
  const calls = [
    { id: "c1", name: "weather", arguments: '{"city":"Bern"}' },
    { id: "c2", name: "weather", arguments: ['{"city":', '"Biel"}'] },
  ] as const;
  world.model.enqueue({ kind: "tool-calls", calls }, { kind: "tool-calls", calls });
  const request = { model: "local/test-model", messages, tools: [weather], tool_choice: "required" as const };

  const asked = await client.chat.completions.create(request);
  const runner = client.chat.completions.stream(request);
  const streamed = await runner.finalChatCompletion();
  const said = asked.choices[0]?.message;
  if (said === undefined) throw new Error("Nothing was said");
  const answered = await client.chat.completions.create({
    ...request,
    tool_choice: "auto",
    messages: [
      ...messages,
      said,
      { role: "tool", tool_call_id: "c1", content: "Rain" },
      { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "Sun" }] },
    ],
  });

  expect(asked.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
  expect(said.tool_calls).toEqual([
    { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } },
    { id: "c2", type: "function", function: { name: "weather", arguments: '{"city":"Biel"}' } },
  ]);
  expect(
    streamed.choices[0]?.message.tool_calls?.map((call) => "function" in call && call.function.arguments),
  ).toEqual(['{"city":"Bern"}', '{"city":"Biel"}']);
  expect(answered.choices[0]?.message.content).toBe("Reply 3");
  const [first, , last] = world.model.requests.map(({ body }) => JSON.parse(body));
  expect(first).toMatchObject({ tools: [weather], tool_choice: "required" });
  expect(last.messages.slice(2)).toMatchObject([
    { role: "assistant", tool_calls: [{ id: "c1" }, { id: "c2" }] },
    { role: "tool", tool_call_id: "c1", content: "Rain" },
    { role: "tool", tool_call_id: "c2", content: "Sun" },
  ]);
});

test("provider signatures survive an OpenAI client that ignores them, through its tool calls", async () => {
  const call = { id: "c1", name: "weather", arguments: '{"city":"Bern"}', thoughtSignature: "c2lnbmVk" };
  world.model.enqueue({ kind: "tool-calls", calls: [call] });
  const asked = await client.chat.completions.create({ model: "default", messages: hello, tools: [weather] });
  const { tool_calls: calls = [], content = null } = asked.choices[0]?.message ?? {};
  const id = calls[0]?.id ?? "";
  const plain = calls.map(({ id: callId }) => ({
    id: callId,
    type: "function" as const,
    function: { name: "weather", arguments: '{"city":"Bern"}' },
  }));

  await client.chat.completions.create({
    model: "default",
    messages: [
      ...hello,
      { role: "assistant", content, tool_calls: plain },
      { role: "tool", tool_call_id: id, content: "Rain" },
    ],
    tools: [weather],
  });

  expect(JSON.stringify(asked)).not.toContain("c2lnbmVk");
  expect(id.length).toBeLessThanOrEqual(40);
  expect(JSON.parse(world.lastRequest()).messages.slice(2)).toMatchObject([
    { tool_calls: [{ id, extra_content: { google: { thought_signature: "c2lnbmVk" } } }] },
    { role: "tool", tool_call_id: id },
  ]);
});

test("an OpenAI client parses an answer by its schema", async () => {
  world.model.enqueue({ kind: "text", chunks: ['{"city":', '"Bern"}'] });
  const schema = { type: "object", properties: { city: { type: "string" } } };

  const { choices } = await client.chat.completions.parse({
    model: "local/test-model",
    messages: hello,
    response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema } },
  });

  expect(choices[0]?.message.parsed).toEqual({ city: "Bern" });
  expect(JSON.parse(world.lastRequest())).toHaveProperty("response_format");
});

test("an OpenAI client's system messages replace the host's, and an appended prompt comes last", async () => {
  const beside = { prompt: "Sort a list." };
  await client.chat.completions.create({
    ...beside,
    model: "default",
    messages: [
      { role: "developer", content: "You know Rust." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello!" },
      {
        role: "system",
        content: [
          { type: "text", text: "Be " },
          { type: "text", text: "brief." },
        ],
      },
    ],
  });

  expect(JSON.parse(world.lastRequest()).messages).toEqual([
    { role: "system", content: "You know Rust.\n\nBe brief." },
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hello!" },
    { role: "user", content: "Sort a list." },
  ]);
});

test("an OpenAI client selects profile, folder and mode with additional fields", async () => {
  const beside = { profile: "reviewer", cwd: "/", systemMode: "append" };
  await client.chat.completions.create({
    ...beside,
    model: "default",
    messages: [{ role: "system", content: "Extra." }, ...hello],
  });

  expect(systemTexts(world.lastRequest())).toEqual(["Review in /.\n\nExtra."]);
});

test("an OpenAI client sends files as data, and URLs are rejected", async () => {
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${dot}` } } as const;
  const ask = (part: OpenAI.ChatCompletionContentPart): Promise<unknown> =>
    client.chat.completions.create({ model: "default", messages: [{ role: "user", content: [part] }] });

  await ask(image);
  const sent = world.lastRequest();
  const refused = await Promise.all(
    [
      ask({ type: "image_url", image_url: { url: "https://example.org/cat.png" } }),
      ask({ type: "image_url", image_url: { url: "data:image/png;base64,!" } }),
      ask({ type: "file", file: { file_id: "file-1" } }),
      ask({ type: "input_audio", input_audio: { data: "AAEC", format: "wav" } }),
    ].map((answer) => answer.catch((error: unknown) => error)),
  );

  expect(sent).toContain(dot);
  expect(refused.map((error) => (error instanceof BadRequestError ? error.param : error))).toEqual([
    "messages[0].content[0].image_url.url",
    "messages[0].content[0].image_url.url",
    "messages[0].content[0].file.file_id",
    "messages",
  ]);
});

test("an OpenAI client receives typed errors and does not repeat the host's retries", async () => {
  const ask = async (request: object, as = client): Promise<unknown> =>
    as.chat.completions
      .create({ model: "local/test-model", messages: hello, ...request })
      .catch((error: unknown) => error);
  const failing = (status: number, message: string): void => {
    const body = JSON.stringify({ error: { message, type: "x" } });
    world.model.enqueue({ kind: "error", status, body, headers: { "retry-after-ms": "1" } });
  };
  const facts = (error: unknown): unknown =>
    error instanceof APIError ? [error.status, error.type, error.code, error.param] : error;

  expect(await ask({}, new OpenAI({ baseURL: world.baseURL, apiKey: "wrong" }))).toBeInstanceOf(
    AuthenticationError,
  );
  const unknown = await ask({ model: "gpt-4o" });
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(facts(unknown)).toEqual([404, "invalid_request_error", "model_not_found", null]);
  expect(facts(await ask({ profile: "nobody" }))).toEqual([
    400,
    "invalid_request_error",
    "profile_not_found",
    "profile",
  ]);
  expect(facts(await ask({ n: 2 }))).toEqual([400, "invalid_request_error", "invalid_request", "n"]);
  expect(facts(await ask({ model: "keyless/gpt-5.2" }))).toEqual([
    503,
    "server_error",
    "provider_not_configured",
    null,
  ]);
  expect(world.model.requests).toHaveLength(0);

  for (let count = 0; count < 4; count += 1) failing(429, "Slow down");
  const limited = await ask({});
  expect(limited).toBeInstanceOf(RateLimitError);
  expect(facts(limited)).toEqual([429, "rate_limit_error", "rate_limit_exceeded", null]);
  expect(world.model.requests).toHaveLength(4);

  failing(400, "This is no good");
  expect(String(await ask({}))).toContain("This is no good");
  failing(401, "Incorrect key");
  expect(await ask({})).toBeInstanceOf(InternalServerError);
  expect(world.model.requests).toHaveLength(6);
});

test("[one-terminal-event] an OpenAI client receives an error within a stream, which ends once", async () => {
  world.model.enqueue(
    { kind: "error-event", chunks: ["One"], error: { message: "Overloaded", code: 503 } },
    { kind: "error-event", chunks: ["One"], error: { message: "Overloaded", code: 503 } },
  );
  const request = { model: "default", messages: hello, stream: true as const };
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { choices } of await client.chat.completions.create(request))
      seen.push(choices[0]?.delta.content ?? "");
  };

  const error = await read().catch((failure: unknown) => failure);
  const raw = await world.host.fetch("/v1/chat/completions", { body: request });
  const events = (await raw.text()).split("\n\n").filter((event) => event.startsWith("data: "));

  expect(seen).toEqual(["", "One"]);
  expect(error).toBeInstanceOf(APIError);
  expect(String(error)).toContain("Overloaded");
  expect(events.filter((event) => event.includes('"error"'))).toHaveLength(1);
  expect(events.at(-1)).toContain('"error"');
  expect(events).not.toContain("data: [DONE]");
  const id = raw.headers.get("x-incipit-call-id");
  expect(await world.host.json(`/calls/${id}`)).toMatchObject({
    call: { status: "failed", error: expect.anything() },
  });
});

test("an OpenAI client that disconnects stops the model, as recorded", async () => {
  const leave = new AbortController();
  world.model.enqueue({ kind: "text", chunks: ["One", "two"], gate: true }, { kind: "never" });
  const request = { model: "default", messages: hello };
  const { data: stream, response } = await client.chat.completions
    .create({ ...request, stream: true })
    .withResponse();
  for await (const { choices } of stream) if (choices[0]?.delta.content === "One") break;
  const waiting = client.chat.completions
    .create(request, { signal: leave.signal })
    .catch((error: unknown) => error);
  await world.model.waitForRequests(2);
  leave.abort();

  expect(await waiting).toBeInstanceOf(OpenAI.APIUserAbortError);
  await world.model.waitFor(({ requests }) => requests.every(({ isAborted }) => isAborted));
  const ids = [response.headers.get("x-incipit-call-id"), await newestCall()];
  for (const id of ids) {
    const status = async (): Promise<unknown> =>
      modelCallResponseSchema.parse(await world.host.json(`/calls/${id}`)).call.status;
    while ((await status()) === "running");
    expect(await status()).toBe("cancelled");
  }
});

async function newestCall(): Promise<string> {
  return modelCallsResponseSchema.parse(await world.host.json("/calls?limit=1")).calls[0]?.id ?? "";
}

test("an OpenAI client lists usable models, including names with slashes", async () => {
  const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);

  expect(ids).toEqual(["default", "local/test-model", "offline/echo"]);
  expect(await client.models.retrieve("local/org/model")).toMatchObject({
    id: "local/org/model",
    owned_by: "local",
  });
  expect(await client.models.retrieve("nobody/x").catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
  expect(await world.host.json("/v1/models/local/org/model")).toMatchObject({ id: "local/org/model" });
});

test("[never-lost] a completion cut off by SIGKILL is interrupted at the next start and recorded", async () => {
  await using own = await createChatWorld();
  own.model.enqueue({ kind: "text", chunks: ["One, ", "two."], gate: true });
  const streamed = await own.host.fetch("/v1/chat/completions", { body: { prompt: "Count", stream: true } });
  const reader = streamed.body?.getReader();
  await reader?.read();

  await own.host.kill("SIGKILL");
  await using restarted = await HostProcess.start(own.options);

  const { calls } = modelCallsResponseSchema.parse(await restarted.json("/calls"));
  expect(calls).toMatchObject([{ status: "interrupted", attempts: 1, endedAt: expect.any(String) }]);
  expect<string | null>(calls[0]?.id ?? "none").toBe(streamed.headers.get("x-incipit-call-id"));
  const request = stepRequestResponseSchema.parse(await restarted.json(`/calls/${calls[0]?.id}/request`));
  expect(request.body).toBe(own.lastRequest());
});
