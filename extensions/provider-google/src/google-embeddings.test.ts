import { createGoogle } from "@ai-sdk/google";
import {
  modelProvidersPoint,
  type EmbeddingReply,
  type EmbeddingRequest,
  type ModelProvider,
} from "@incipit/service-contract";
import { startExtension, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

const model = "gemini-embedding-001";
const apiKey = "AIza-test";

async function open(scope: AsyncDisposableStack): Promise<{
  readonly server: RecordingModelServer;
  readonly provider: ModelProvider;
  readonly embed: (request: Partial<EmbeddingRequest>) => Promise<EmbeddingReply | undefined>;
}> {
  const server = scope.use(await startRecordingModelServer());
  const started = await startExtension(extension, {
    config: { providers: { google: { kind: "google", base_url: server.urlOf("gemini"), api_key_env: "K" } } },
    env: { K: apiKey },
    net: server,
  });
  const provider = scope.use(started).contribution(modelProvidersPoint);
  const base = { model, input: "tide", signal: new AbortController().signal, observe: () => {} };
  return { server, provider, embed: async (request) => provider.embed?.({ ...base, ...request }) };
}

test("google embeddings match the requests and results of Google's AI SDK package", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, embed } = await open(scope);
  const values = ["tide", "a longer text"];
  const taskType = "RETRIEVAL_QUERY";

  const reply = await embed({ input: values, dimensions: 3, vendorFields: { taskType } });
  const baseURL = server.urlOf("gemini");
  const { embeddings } = await createGoogle({ baseURL, apiKey })
    .embedding(model)
    .doEmbed({ values, providerOptions: { google: { outputDimensionality: 3, taskType } } });

  expect(reply).toEqual({ kind: "embedded", vectors: embeddings, inputTokens: 5, responseModel: null });
  expect(embeddings).toEqual([
    [4 / 16, 5 / 16, 6 / 16],
    [13 / 16, 14 / 16, 15 / 16],
  ]);
  const [ours, theirs] = server.requests;
  expect(ours?.path).toBe(`/v1beta/models/${model}:batchEmbedContents`);
  expect(ours?.headers["x-goog-api-key"]).toBe(apiKey);
  for (const member of ["method", "path", "body"] as const) expect(ours?.[member]).toBe(theirs?.[member]);
});

test("google embeddings return a list for one text, and base64 on request", async () => {
  await using scope = new AsyncDisposableStack();
  const { embed } = await open(scope);

  const reply = await embed({ encodingFormat: "base64" });

  const [vector] = reply?.kind === "embedded" ? reply.vectors : [];
  const bytes = new Uint8Array(Buffer.from(String(vector), "base64"));
  expect([...new Float32Array(bytes.buffer)]).toEqual([4, 5, 6, 7].map((number) => number / 16));
});

test("google embeddings reject token input before sending, with advice", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, embed } = await open(scope);

  for (const input of [
    [1, 2],
    [[1], [2]],
  ])
    expect(await embed({ input })).toEqual({
      kind: "failed",
      error: {
        code: "BAD_REQUEST",
        message: 'Cannot ask "google" for embeddings: its API accepts text, not tokens; send text',
        isRetryable: false,
      },
    });
  expect(server.requests).toEqual([]);
});

test("google embeddings report failures and reject incomplete responses", async () => {
  await using scope = new AsyncDisposableStack();
  const { server, embed } = await open(scope);
  const quota = { error: { code: 429, message: "You exceeded your quota", status: "RESOURCE_EXHAUSTED" } };
  server.enqueue(
    { kind: "error", status: 429, body: JSON.stringify(quota) },
    { kind: "error", status: 200, body: '{"embeddings":[]}' },
  );

  expect(await embed({})).toMatchObject({
    kind: "failed",
    error: { code: "RATE_LIMITED", message: expect.stringContaining("You exceeded your quota") },
  });
  expect(await embed({})).toMatchObject({ kind: "failed", error: { code: "BAD_RESPONSE" } });
});

test("google embeddings accept embedding fields and reject fields of model calls", async () => {
  await using scope = new AsyncDisposableStack();
  const { provider } = await open(scope);
  const takes = (field: string, isOfEmbeddings: boolean): boolean | undefined =>
    provider.takesField?.({ model, field, isOfEmbeddings });

  expect(["taskType", "title", "safetySettings"].map((field) => takes(field, true))).toEqual([true, true, false]);
  expect(["taskType", "title", "safetySettings"].map((field) => takes(field, false))).toEqual([false, false, true]);
});
