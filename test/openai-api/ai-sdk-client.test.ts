import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { expect, test } from "bun:test";
import { createChatWorld } from "./chat-world.ts";
import { systemTexts } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());
const { host, baseURL } = world;
const provider = createOpenAICompatible({ name: "incipit", baseURL, apiKey: host.token, includeUsage: true });

test("the AI SDK generates and streams with the host's prompt and cache usage", async () => {
  const model = provider("local/test-model");
  world.model.enqueue(
    { kind: "text", chunks: ["One, ", "two."] },
    { kind: "text", chunks: ["One, ", "two."], reasoning: "Hm" },
  );

  const generated = await generateText({ model, prompt: "Count" });
  const streamed = streamText({ model, prompt: "Count" });
  const deltas = await Array.fromAsync(streamed.textStream);

  expect(generated.text).toBe("One, two.");
  expect(deltas).toEqual(["One, ", "two."]);
  expect(await streamed.reasoningText).toBe("Hm");
  for (const usage of [generated.usage, await streamed.usage])
    expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 5, inputTokenDetails: { cacheReadTokens: 8 } });
  for (const { body } of world.model.requests) expect(systemTexts(body)).toEqual(["Be of use."]);
});

test("the AI SDK's instructions replace the host's prompt, along with a chosen profile", async () => {
  const model = provider("default");

  await generateText({ model, instructions: "Be brief.", prompt: "Hello" });
  await generateText({ model, prompt: "Hello", providerOptions: { incipit: { profile: "reviewer" } } });

  expect(world.model.requests.map(({ body }) => systemTexts(body))).toEqual([
    ["Be brief."],
    [`Review in ${world.cwd}.`],
  ]);
});

test("the AI SDK streams a tool loop whose requests extend each other", async () => {
  const inputSchema = jsonSchema<{ readonly city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
  });
  const weather = tool({ inputSchema, execute: async ({ city }) => `Rain in ${city}` });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "c1", name: "weather", arguments: '{"city":"Bern"}' }] },
    { kind: "tool-calls", calls: [{ id: "c1", name: "weather", arguments: '{"city":"Biel"}' }] },
    { kind: "text", chunks: ["Rain everywhere"] },
  );

  const result = streamText({
    model: provider("local/test-model"),
    prompt: "Weather?",
    tools: { weather },
    stopWhen: stepCountIs(5),
  });

  expect(await result.text).toBe("Rain everywhere");
  const bodies = world.model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(3);
  for (const [index, body] of bodies.slice(1).entries())
    expect(body).toStartWith(bodies[index]?.slice(0, -"]}".length) ?? "none");
  // The model reused an id, which providers reject.
  const results = JSON.parse(bodies.at(-1) ?? "").messages.filter(({ role }: { role: string }) => role === "tool");
  expect(results).toMatchObject([
    { tool_call_id: "c1", content: "Rain in Bern" },
    { tool_call_id: "c1-2", content: "Rain in Biel" },
  ]);
});

test("the AI SDK receives errors with their status, also within a stream", async () => {
  const failure = await generateText({ model: provider("nobody/x"), prompt: "Hello" }).catch(
    (error: unknown) => error,
  );
  world.model.enqueue({ kind: "error-event", chunks: ["One"], error: { message: "Overloaded", code: 503 } });
  const errors: unknown[] = [];
  const streamed = streamText({
    model: provider("default"),
    prompt: "Hello",
    onError: ({ error }) => void errors.push(error),
  });
  const parts = await Array.fromAsync(streamed.fullStream);

  expect(failure).toBeInstanceOf(APICallError);
  expect(failure).toMatchObject({ statusCode: 404, message: expect.stringContaining("nobody/x") });
  expect(JSON.stringify(parts.filter(({ type }) => type === "error"))).toContain("Overloaded");
  expect(errors).toHaveLength(1);
});

test("the AI SDK can abort the model", async () => {
  const leave = new AbortController();
  world.model.enqueue({ kind: "text", chunks: ["One", "two"], gate: true });
  const streamed = streamText({ model: provider("default"), prompt: "Count", abortSignal: leave.signal });

  for await (const delta of streamed.textStream) if (delta === "One") leave.abort();

  await world.model.waitFor(({ requests }) => requests.every(({ isAborted }) => isAborted));
  expect(world.model.requests).toHaveLength(1);
});
