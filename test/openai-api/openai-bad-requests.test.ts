import { openAiErrorResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createChatWorld } from "./chat-world.ts";
import { systemTexts } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());

const path = "/v1/chat/completions";
const user = { role: "user", content: "Hello" };
const calling = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "c1", type: "function", function: { name: "look", arguments: "{}" } },
    { id: "c2", type: "function", function: { name: "look", arguments: "{}" } },
  ],
};
const result = (id: string): object => ({ role: "tool", tool_call_id: id, content: "seen" });
const allowing = (...names: readonly string[]): object => ({
  type: "allowed_tools",
  allowed_tools: { mode: "auto", tools: names.map((name) => ({ type: "function", function: { name } })) },
});
const tool = { type: "function", function: { name: "look" } };

async function refusalOf(answer: Promise<Response>): Promise<readonly unknown[]> {
  const response = await answer;
  const { error } = openAiErrorResponseSchema.parse(await response.json());
  return [response.status, error.type, error.code, error.param, error.message];
}

const badRequests: readonly (readonly [object, string | null, string])[] = [
  [{}, "messages", "a message of the user"],
  [{ messages: [] }, "messages", "a message of the user"],
  [{ messages: [{ role: "system", content: "Be brief." }] }, "messages", "besides the system messages"],
  [{ prompt: " \n" }, "prompt", "white space"],
  [{ messages: "Hello" }, "messages", "array"],
  [{ messages: [{ role: "wizard", content: "" }] }, "messages[0].role", '"developer"'],
  [{ messages: [{ role: "user" }] }, "messages[0].content", "list of parts"],
  [{ messages: [{ role: "user", content: [] }] }, "messages[0].content", "at least one part"],
  [{ messages: [{ role: "user", content: [{ type: "video" }] }] }, "messages[0].content[0].type", "input_audio"],
  [{ messages: [user, { role: "assistant" }] }, "messages[1]", "`tool_calls`"],
  [{ messages: [user, result("c1")] }, "messages[1].tool_call_id", '"c1" is not one'],
  [{ messages: [user, calling, result("c1"), result("c1")] }, "messages[3].tool_call_id", "no result yet"],
  [{ messages: [user, calling] }, "messages[1].tool_calls", '"c1", "c2"'],
  [{ messages: [user, calling, result("c2"), user] }, "messages[1].tool_calls", 'without a result: "c1"'],
  [{ messages: [user, calling, result("c2")], prompt: "Go on" }, "messages[1].tool_calls", "without a result"],
  [{ prompt: "x", tools: [tool, tool] }, "tools[1].function.name", "another tool"],
  [{ prompt: "x", tools: [{ type: "custom", custom: {} }] }, "tools[0].type", '"function"'],
  [{ prompt: "x", tools: [{ type: "function", function: { name: "a b" } }] }, "tools[0].function.name", "letters"],
  [{ prompt: "x", tool_choice: "required" }, "tool_choice", "without `tools`"],
  [
    { prompt: "x", tools: [tool], tool_choice: { type: "function", function: { name: "hear" } } },
    "tool_choice.function.name",
    '"hear" is not a tool',
  ],
  [{ prompt: "x", max_tokens: 1, max_completion_tokens: 1 }, "max_tokens", "max_completion_tokens"],
  [{ prompt: "x", temperature: 3 }, "temperature", "<=2"],
  [{ prompt: "x", stop: ["1", "2", "3", "4", "5"] }, "stop", "4"],
  [{ prompt: "x", n: 2 }, "n", "must be 1"],
  [{ prompt: "x", logprobs: true }, "logprobs", "not supported here"],
  [{ prompt: "x", functions: [{ name: "look" }] }, "functions", "`tools`"],
  [{ prompt: "x", modalities: ["text", "audio"] }, "modalities[1]", "answers are text"],
  [{ prompt: "x", response_format: { type: "xml" } }, "response_format.type", "json_schema"],
  [{ prompt: "x", systemMode: "prepend" }, "systemMode", "append"],
  [{ prompt: "x", model: "offline/echo", top_k: 5 }, "top_k", "no such field"],
  [{ prompt: "x", "top k": 5 }, "top k", "not the name of a field"],
  [{ prompt: "x", seed: 1.5 }, "seed", "whole number"],
  [
    { prompt: "x", tools: [tool], tool_choice: allowing("look", "hear") },
    "tool_choice.allowed_tools.tools[1].function.name",
    '"hear" is not a tool',
  ],
];

for (const [body, param, words] of badRequests) {
  test(`a completion with an invalid field is rejected by its name: ${JSON.stringify(body).slice(0, 80)}`, async () => {
    const before = world.model.requests.length;

    const [status, type, code, named, message] = await refusalOf(world.host.fetch(path, { body }));

    expect([status, type, code, named]).toEqual([400, "invalid_request_error", "invalid_request", param]);
    expect(message).toContain(words);
    expect(world.model.requests).toHaveLength(before);
  });
}

test("a completion with an unknown model, profile or folder has a specific error code", async () => {
  const refusals = [{ model: "gpt-4o" }, { model: "offline/x" }, { profile: "nobody" }, { cwd: "here" }].map(
    (beside) => refusalOf(world.host.fetch(path, { body: { prompt: "x", ...beside } })),
  );

  expect((await Promise.all(refusals)).map((refusal) => refusal.slice(0, 4))).toEqual([
    [404, "invalid_request_error", "model_not_found", null],
    [404, "invalid_request_error", "model_not_found", null],
    [400, "invalid_request_error", "profile_not_found", "profile"],
    [400, "invalid_request_error", "cwd_invalid", "cwd"],
  ]);
});

test("every rejection below /v1 has OpenAI's format, also before a completion is reached", async () => {
  const { url, token } = world.host;
  const ask = (
    to: string,
    {
      headers,
      ...init
    }: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): ReturnType<typeof refusalOf> =>
    refusalOf(fetch(`${url}${to}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } }));
  const post = (body: string | Uint8Array): ReturnType<typeof refusalOf> => ask(path, { method: "POST", body });

  const refusals = [
    await post("{"),
    await post("[]"),
    await post(""),
    await post(new Uint8Array([0xff])),
    await post(new Uint8Array(9 * 1_048_576)),
    await ask(path),
    await ask("/v1/completions", { method: "POST", body: "{}" }),
    await ask("/v1"),
    await ask(path, { method: "POST", headers: { authorization: "Bearer wrong" } }),
    await ask("/v1/models", { headers: { origin: "http://evil.example" } }),
  ];

  expect(refusals.map(([status, , code]) => [status, code])).toEqual([
    [400, "invalid_request"],
    [400, "invalid_request"],
    [400, "invalid_request"],
    [400, "invalid_request"],
    [413, "body_too_large"],
    [405, "method_not_allowed"],
    [404, "unknown_url"],
    [404, "unknown_url"],
    [401, "invalid_api_key"],
    [403, "forbidden_origin"],
  ]);
  expect(refusals.every(([, type]) => type === "invalid_request_error")).toBe(true);
});

test("an unsupported OpenAI route is rejected with the alternative", async () => {
  const refusal = await refusalOf(world.host.fetch("/v1/completions", { body: {} }));

  const word = expect.stringContaining("use POST /v1/chat/completions");
  expect(refusal).toEqual([404, "invalid_request_error", "unknown_url", null, word]);
});

test("a completion without a session orchestrator is 503 until the orchestrator returns", async () => {
  const control = "/extensions/session-orchestrator";
  await world.host.json(`${control}/unload`, { method: "POST" });
  const refusal = await refusalOf(world.host.fetch(path, { body: { prompt: "Hello" } }));
  await world.host.json(`${control}/load`, { method: "POST" });

  expect(refusal.slice(0, 3)).toEqual([503, "server_error", "service_unavailable"]);
  expect(await world.host.json(path, { body: { prompt: "Hello" } })).toMatchObject({ object: "chat.completion" });
});

test("a completion without a prompt builder sends only its own messages", async () => {
  const messages = [{ role: "system", content: "Be brief." }, user];
  await world.host.json("/extensions/system-prompt/unload", { method: "POST" });
  await world.host.json(path, { body: { messages } });
  const own = world.lastRequest();
  await world.host.json(path, { body: { prompt: "Hello" } });
  const none = world.lastRequest();
  await world.host.json("/extensions/system-prompt/load", { method: "POST" });

  expect([own, none].map(systemTexts)).toEqual([["Be brief."], []]);
});

test("a completion accepts 1 MB of system message, a 3.7 MiB file and any characters", async () => {
  const large = "Be brief. ".repeat(100_000);
  const odd = "NUL \u0000, 漢字, 🎉, \u2028, \\n, [prompt:cwd] {{x}}";
  await world.host.json(path, { body: { messages: [{ role: "system", content: large }, user] } });
  const largest = world.lastRequest();
  await world.host.json(path, {
    body: {
      messages: [
        { role: "system", content: odd },
        { role: "user", content: odd },
      ],
    },
  });
  const oddest: unknown = JSON.parse(world.lastRequest());
  const data = largePng(3_900_000).toString("base64");
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
  await world.host.json(path, { body: { messages: [{ role: "user", content: [image] }] } });

  expect(systemTexts(largest)).toEqual([large]);
  expect(oddest).toMatchObject({ messages: [{ content: odd }, { content: odd }] });
  expect(world.lastRequest().includes(data)).toBe(true);
});

test("a completion accepts additional client fields, and null for omitted ones", async () => {
  const hints = { user: "u", metadata: { a: "b" }, store: true, service_tier: "auto", parallel_tool_calls: false };
  const nulls = { temperature: null, tools: null, stop: null, n: null, stream_options: null, logit_bias: {} };
  const said = { role: "assistant", content: "Hi", refusal: null, annotations: [], audio: null };

  await world.host.json(path, { body: { messages: [user, said, user], n: 1, ...hints } });
  await world.host.json(path, { body: { messages: [user], ...nulls } });

  expect(JSON.parse(world.lastRequest())).not.toHaveProperty("user");
  expect(JSON.parse(world.lastRequest())).not.toHaveProperty("temperature");
});

function largePng(sizeBytes: number): Buffer {
  const dot = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const behindHeader = 33;
  const named = Buffer.concat([Buffer.from("zzZz"), Buffer.alloc(sizeBytes, 7)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(sizeBytes);
  sum.writeUInt32BE(Bun.hash.crc32(named));
  return Buffer.concat([dot.subarray(0, behindHeader), length, named, sum, dot.subarray(behindHeader)]);
}
