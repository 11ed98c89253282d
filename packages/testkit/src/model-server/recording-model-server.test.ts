import { expect, test } from "bun:test";
import { startRecordingModelServer, type RecordingModelServer } from "./recording-model-server.ts";

function post(server: RecordingModelServer, body: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, { method: "POST", body, ...(signal ? { signal } : {}) });
}

const streamed = '{"stream":true}';

/** Includes `[DONE]`. */
function textsOf(reply: string): readonly string[] {
  return reply
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => event.slice("data: ".length))
    .map((data) => (data === "[DONE]" ? data : (JSON.parse(data).choices[0]?.delta.content ?? "")));
}

test("startRecordingModelServer records each body byte for byte, in order", async () => {
  await using server = await startRecordingModelServer();
  const bodies = ['\ufeff{ "b" : 1,"a":"é \\u0000 🎉\n"}', "", "no JSON"];

  for (const body of bodies) await (await post(server, body)).text();

  expect(server.requests.map(({ body }) => body)).toEqual(bodies);
  expect(server.requests[0]).toMatchObject({ method: "POST", path: "/v1/chat/completions", isAborted: false });
});

test("startRecordingModelServer answers with the request's number when the queue is empty", async () => {
  await using server = await startRecordingModelServer();

  const first: unknown = await (await post(server, "{}")).json();
  const second = await (await post(server, streamed)).text();

  expect(first).toMatchObject({
    choices: [{ message: { content: "Reply 1" } }],
    usage: { prompt_tokens_details: { cached_tokens: 8 } },
  });
  expect(textsOf(second)).toEqual(["Reply 2", "", "", "[DONE]"]);
});

test("startRecordingModelServer lists models and answers 404 on unknown paths", async () => {
  await using server = await startRecordingModelServer();

  expect(await (await fetch(`${server.url}/models`)).json()).toMatchObject({ data: [{ id: "test-model" }] });
  expect((await fetch(`${server.url}/moderations`)).status).toBe(404);
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/models", "/v1/moderations"]);
});

test("enqueue sends replies in order: an error with headers, tool calls, broken JSON", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue(
    { kind: "error", status: 429, body: "slow down", headers: { "retry-after": "2" } },
    { kind: "tool-calls", calls: [{ id: "t1", name: "a", arguments: ['{"x"', ":1}"] }] },
    { kind: "broken-json" },
  );

  const limited = await post(server, streamed);
  const called: unknown = await (await post(server, "{}")).json();
  const broken = await (await post(server, "{}")).text();

  expect([limited.status, limited.headers.get("retry-after"), await limited.text()]).toEqual([
    429,
    "2",
    "slow down",
  ]);
  expect(called).toMatchObject({
    choices: [
      { message: { tool_calls: [{ id: "t1", type: "function", function: { name: "a", arguments: '{"x":1}' } }] } },
    ],
  });
  expect(() => JSON.parse(broken)).toThrow();
});

test("release releases one gated event at a time", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "text", chunks: ["a", "b"], gate: true });
  const reader = (await post(server, streamed)).body?.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);

  const first = await read();
  let isRead = false;
  const second = read().then((text) => {
    isRead = true;
    return text;
  });
  await (await fetch(`${server.url}/models`)).text(); // A whole round trip in which the event did not arrive.

  expect(textsOf(first)).toEqual(["a"]);
  expect(isRead).toBe(false);
  server.release();
  expect(textsOf(await second)).toEqual(["b"]);
});

test("a cut reply ends without its end", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "cut", chunks: ["a"] });

  expect(textsOf(await (await post(server, streamed)).text())).toEqual(["a"]);
});

test("cutConnections breaks open connections and accepts new ones", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "text", chunks: ["a", "b"], gate: true });
  const open = await post(server, streamed);

  await server.cutConnections();

  expect(await open.text().catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect((await post(server, "{}")).status).toBe(200);
});

test("waitForRequests resolves after that many requests, answered or not", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "never" });
  const stop = new AbortController();
  const reply = post(server, "{}", stop.signal).catch((error: unknown) => error);

  await server.waitForRequests(1);
  stop.abort();
  await server.waitFor(({ requests }) => requests[0]?.isAborted === true);

  expect(await reply).toBeInstanceOf(DOMException);
});

test("startRecordingModelServer rejects an added tool whose schema OpenAI rejects", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "text", chunks: ["later"] });
  const ask = (parameters: object): Promise<Response> =>
    fetch(`${server.url}/responses`, {
      method: "POST",
      body: JSON.stringify({
        model: "m",
        input: [
          { role: "user", content: "Hello" },
          { type: "function_call", call_id: "1", name: "a", arguments: "{}" },
          { type: "function_call_output", call_id: "1", output: "found" },
          { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "b", parameters }] },
        ],
      }),
    });

  const refused = await ask({ type: "object" });
  const taken = await ask({ type: "object", properties: {} });

  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({
    error: {
      message: "Invalid schema for function 'b': In context=(), object schema missing properties.",
      type: "invalid_request_error",
      param: "input[3].tools[0].parameters",
      code: "invalid_function_parameters",
    },
  });
  expect(await taken.text()).toContain("later");
  expect(server.problems).toHaveLength(1);
});

test("startRecordingModelServer rejects an invalid tool schema for OpenAI only", async () => {
  await using openai = await startRecordingModelServer({ isOpenai: true });
  await using other = await startRecordingModelServer();
  const user = { role: "user", content: "Hello" };
  const parameters = { type: "object" };
  const ask = async (path: string, body: object, server = openai): Promise<unknown> =>
    (await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify({ model: "m", ...body }) })).json();
  const responses = (schema: object): object => ({
    input: [user],
    tools: [{ type: "function", name: "a", parameters: schema }],
  });
  const chat = { messages: [user], tools: [{ type: "function", function: { name: "a", parameters } }] };
  const message = "Invalid schema for function 'a': In context=(), object schema missing properties.";

  expect(await ask("/responses", responses(parameters))).toMatchObject({
    error: { message, param: "tools[0].parameters", code: "invalid_function_parameters" },
  });
  expect(await ask("/responses", responses({ properties: {} }))).toMatchObject({
    error: { message: expect.stringContaining(`must be a JSON Schema of 'type: "object"', got 'type: "None"'.`) },
  });
  expect(await ask("/chat/completions", chat)).toMatchObject({
    error: { message, param: "tools[0].function.parameters", code: "invalid_function_parameters" },
  });
  expect(await ask("/chat/completions", chat, other)).toMatchObject({ choices: [expect.anything()] });
  expect(openai.problems).toHaveLength(3);
  expect(other.problems).toEqual([]);
});
