import { modelCallResponseSchema, modelCallsResponseSchema } from "@incipit/transport-contract";
import { stepRequestResponseSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import OpenAI, { BadRequestError, InternalServerError, NotFoundError, RateLimitError } from "openai";
import { createChatWorld, failed } from "./chat-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const providers = (url: string, geminiUrl: string): string => `
[providers.vendor]
kind = "openai"
base_url = "${url}"
api_key_env = "VENDOR_KEY"
[providers.claude]
kind = "anthropic"
base_url = "${url}"
api_key_env = "VENDOR_KEY"
[providers.gemini]
kind = "google"
base_url = "${geminiUrl}"
api_key_env = "VENDOR_KEY"
`;
const world = await sharedWorld(
  createChatWorld((model) => providers(model.url, model.urlOf("gemini")), {
    VENDOR_KEY: "sk-vendor-0123456789",
  }),
);
const client = new OpenAI({ baseURL: world.baseURL, apiKey: world.host.token, maxRetries: 0 });

for (const model of ["vendor/text-embedding-3-small", "local/nomic"])
  test(`OpenAI's client gets embeddings of ${model} in order, with a byte-exact record`, async () => {
    const input = ["tide", "a longer text"];
    const { data, response } = await client.embeddings.create({ model, input, dimensions: 3 }).withResponse();
    const id = response.headers.get("x-incipit-call-id");

    const name = model.slice(model.indexOf("/") + 1);
    expect(data).toEqual({
      object: "list",
      data: [
        { object: "embedding", index: 0, embedding: [4 / 16, 5 / 16, 6 / 16] },
        { object: "embedding", index: 1, embedding: [13 / 16, 14 / 16, 15 / 16] },
      ],
      model,
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    expect(world.model.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/embeddings"]);
    // The client requests base64 by default and decodes it.
    expect(JSON.parse(world.lastRequest())).toEqual({
      model: name,
      input,
      encoding_format: "base64",
      dimensions: 3,
    });
    expect(await requestOf(id)).toBe(world.lastRequest());
    expect(modelCallResponseSchema.parse(await world.host.json(`/calls/${id}`)).call).toMatchObject({
      status: "completed",
      model,
      responseModel: `${name}-2026`,
      systemSha256: null,
      usage: { inputTokens: 5, outputTokens: null },
    });
  });

test("OpenAI's client gets Gemini embeddings for its task, with a byte-exact record", async () => {
  const input = ["tide", "a longer text"];
  const asked = { model: "gemini/gemini-embedding-001", input, dimensions: 3, taskType: "RETRIEVAL_DOCUMENT" };
  const ofChat = { safetySettings: [] };
  const { data, response } = await client.embeddings.create(asked).withResponse();
  const refused = await failed(client.embeddings.create({ ...asked, ...ofChat }));
  const tokens = await failed(client.embeddings.create({ ...asked, input: [1, 2] }));

  expect(data.data.map(({ embedding }) => embedding)).toEqual([
    [4 / 16, 5 / 16, 6 / 16],
    [13 / 16, 14 / 16, 15 / 16],
  ]);
  expect(data.usage).toEqual({ prompt_tokens: 5, total_tokens: 5 });
  expect(world.model.requests.map(({ path }) => path)).toEqual([
    "/v1beta/models/gemini-embedding-001:batchEmbedContents",
  ]);
  expect(JSON.parse(world.lastRequest())).toMatchObject({
    requests: [{ content: { parts: [{ text: "tide" }] }, taskType: "RETRIEVAL_DOCUMENT" }, {}],
  });
  expect(await requestOf(response.headers.get("x-incipit-call-id"))).toBe(world.lastRequest());
  for (const failure of [refused, tokens]) expect(failure).toBeInstanceOf(BadRequestError);
  expect(refused).toMatchObject({ param: "safetySettings" });
  expect(tokens).toMatchObject({ message: expect.stringContaining("send text") });
});

test("embeddings use the host's key, and vectors larger than a message arrive completely", async () => {
  const { data } = await client.embeddings.create({
    model: "vendor/large",
    input: "tide",
    dimensions: 300_000,
    encoding_format: "float",
  });

  expect(data[0]?.embedding).toHaveLength(300_000);
  expect(world.model.requests[0]?.headers["authorization"]).toBe("Bearer sk-vendor-0123456789");
});

test("provider-specific fields reach a compatible endpoint, and are rejected by name otherwise", async () => {
  const fields = { input: "tide", input_type: "query" };
  await client.embeddings.create({ model: "local/nomic", ...fields });
  const sent = world.lastRequest();
  const refused = await failed(client.embeddings.create({ model: "vendor/text-embedding-3-small", ...fields }));
  const ofModels = { input: "tide", reasoning: { effort: "low" } };
  const refusedToo = await failed(
    client.embeddings.create({ model: "vendor/text-embedding-3-small", ...ofModels }),
  );

  expect(JSON.parse(sent)).toMatchObject({ model: "nomic", input_type: "query" });
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(refused).toMatchObject({ param: "input_type", message: expect.stringContaining("leave it out") });
  expect(refusedToo).toMatchObject({ status: 400, param: "reasoning" });
  expect(world.model.requests).toHaveLength(1);
});

test("embeddings without provider support, of an unknown model, or of no input are rejected", async () => {
  const ask = (model: string, input: string | string[]): Promise<unknown> =>
    failed(client.embeddings.create({ model, input }));

  const none = await ask("claude/claude-opus-5-5", "tide");
  const unknown = await ask("nobody/embed", "tide");
  const empty = await ask("vendor/text-embedding-3-small", []);

  expect(none).toBeInstanceOf(BadRequestError);
  expect(none).toMatchObject({
    param: "model",
    message: expect.stringContaining('the API of "claude" does not support them'),
  });
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(empty).toBeInstanceOf(BadRequestError);
  expect(empty).toMatchObject({ param: "input" });
  expect(world.model.requests).toEqual([]);
});

test("a provider's rejection has its own error type, and the record has the reason", async () => {
  world.model.enqueue(
    {
      kind: "error",
      status: 429,
      body: '{"error":{"message":"Slow down, sk-vendor-0123456789"}}',
      headers: { "retry-after": "7" },
    },
    { kind: "error", status: 200, body: '{"data":[]}' },
  );
  const ask = (): Promise<unknown> => failed(client.embeddings.create({ model: "vendor/small", input: "tide" }));

  const limited = await ask();
  const odd = await ask();

  expect(limited).toBeInstanceOf(RateLimitError);
  expect(limited).toMatchObject({ message: expect.stringContaining("Slow down, [key]") });
  expect(limited instanceof RateLimitError && limited.headers.get("retry-after")).toBe("7");
  expect(odd).toBeInstanceOf(InternalServerError);
  expect(odd).toMatchObject({ message: expect.stringContaining("not one embedding for each text") });
  expect(await world.host.json("/calls?limit=2")).toMatchObject({
    calls: [
      { status: "failed", error: { code: "BAD_RESPONSE" }, attempts: 1 },
      { status: "failed", error: { code: "RATE_LIMITED" }, attempts: 1 },
    ],
  });
});

test("a client that disconnects before its vectors stops the request, as recorded", async () => {
  world.model.enqueue({ kind: "never" });
  const leave = new AbortController();
  const asked = failed(
    client.embeddings.create({ model: "vendor/small", input: "tide" }, { signal: leave.signal }),
  );
  await world.model.waitForRequests(1);
  leave.abort();
  await asked;
  await world.model.waitFor(({ requests }) => requests[0]?.isAborted === true);

  // Its end is stored after that of the request, so poll.
  let status: string | undefined = "running";
  while (status === "running")
    status = modelCallsResponseSchema.parse(await world.host.json("/calls?limit=1")).calls[0]?.status;
  expect(status).toBe("cancelled");
});

async function requestOf(id: string | null): Promise<string> {
  return stepRequestResponseSchema.parse(await world.host.json(`/calls/${id}/request`)).body;
}
