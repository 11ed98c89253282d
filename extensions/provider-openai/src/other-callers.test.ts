import type { ModelMessage, ModelSettings } from "@incipit/schema";
import type { ModelFailure, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { modelRequest, startRecordingModelServer, userMessage, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { openaiAt, testKey as key } from "./testing/openai-at.ts";

const question = userMessage("one");

const endpoints = {
  responses: { kind: "openai" },
  chat: { kind: "openai", api: "chat" },
  compatible: { kind: "openai-compatible" },
  deepseek: { kind: "deepseek" },
} as const;
type Wire = keyof typeof endpoints;

function providerOf(server: RecordingModelServer, wire: Wire, id = "p"): ModelProvider {
  const baseUrl = server.urlOf(wire === "responses" ? "openai-responses" : "openai-chat");
  return openaiAt(baseUrl, { ...endpoints[wire], id });
}

async function bodyOf(
  server: RecordingModelServer,
  provider: ModelProvider,
  request: Partial<ModelRequest> = {},
): Promise<Record<string, unknown>> {
  for await (const event of provider.stream(modelRequest({ model: "gpt-5.2", ...request })))
    if (event.type === "failure") throw new Error(event.error.message);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(server.requests.at(-1)?.body ?? ""));
}

const wires: readonly (readonly [Wire, number])[] = [
  ["responses", 64],
  ["chat", 40],
];

test.each(wires)(
  "provider-openai rewrites foreign call ids for %s, in the call and its result",
  async (wire, maxLength) => {
    await using server = await startRecordingModelServer({ isStrict: true });
    const ids = [`chatcmpl-tool-${"a".repeat(60)}1`, `chatcmpl-tool-${"a".repeat(60)}2`, "toolu_01"];
    const messages: readonly ModelMessage[] = [
      question,
      {
        role: "assistant",
        model: "vllm/m",
        parts: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, name: "a", input: "{}" })),
      },
      {
        role: "tool",
        parts: ids.map((toolCallId) => ({
          type: "tool-result",
          toolCallId,
          name: "a",
          output: "x",
          isError: false,
        })),
      },
    ];

    const body = JSON.stringify(await bodyOf(server, providerOf(server, wire), { messages }));

    const sent = [...body.matchAll(/"(?:call_id|tool_call_id|id)":"([^"]*)"/g)].map(([, id = ""]) => id);
    expect(sent).toHaveLength(6);
    expect(sent.filter((id) => id.length > maxLength)).toEqual([]);
    expect(sent.slice(3).toSorted()).toEqual(sent.slice(0, 3).toSorted());
    expect(new Set(sent).size).toBe(3);
    expect(sent).toContain("toolu_01");
  },
);

test.each(["openai", "openaiCompatible", "openai-compatible"])(
  "provider-openai sends a compatible endpoint named %p only fields of the protocol",
  async (id) => {
    await using server = await startRecordingModelServer({ isStrict: true });

    const body = await bodyOf(server, providerOf(server, "compatible", id));

    expect(Object.keys(body).toSorted()).toEqual(["messages", "model", "stream", "stream_options"]);
  },
);

const schema = { type: "object", properties: { a: { type: "string" } } } as const;
const asks = (isStrict?: true): ModelSettings => ({
  responseFormat: { type: "json", name: "x", schema, ...(isStrict === undefined ? {} : { isStrict }) },
});

test("provider-openai sends a response schema, strict only on request", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  const chat = { json_schema: { name: "x", schema } };
  for (const wire of ["chat", "compatible"] as const) {
    const provider = providerOf(server, wire);
    const loose = await bodyOf(server, provider, { settings: asks() });
    const strict = await bodyOf(server, provider, { settings: asks(true) });
    expect(loose["response_format"]).toMatchObject({
      ...chat,
      json_schema: { ...chat.json_schema, strict: false },
    });
    expect(strict["response_format"]).toMatchObject({ json_schema: { strict: true } });
  }
  const provider = providerOf(server, "responses");
  const loose = await bodyOf(server, provider, { settings: asks() });
  const strict = await bodyOf(server, provider, { settings: asks(true) });
  expect(loose["text"]).toMatchObject({ format: { name: "x", schema, strict: false } });
  expect(strict["text"]).toMatchObject({ format: { strict: true } });
});

test.each(["responses", "chat", "compatible", "deepseek"] as const)(
  "provider-openai disables parallel calls of %s where its protocol allows it",
  async (wire) => {
    await using server = await startRecordingModelServer({ isStrict: true });
    const tools = [{ name: "find", description: "", inputSchema: { type: "object", properties: {} } }];
    const key = "parallel_tool_calls";

    for (const id of ["p", "my.vendor", "openai-compatible"]) {
      const provider = providerOf(server, wire, id);
      const one = await bodyOf(server, provider, { tools, settings: { parallelToolCalls: false } });
      const any = await bodyOf(server, provider, { tools });

      const { [key]: said, ...rest } = one;
      expect(said).toBe(wire === "deepseek" ? undefined : false);
      expect(any).toEqual(rest);
    }
  },
);

test("responsesVendor requests an effort but no reasoning summary, which some organisations lack", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });

  const body = await bodyOf(server, providerOf(server, "responses"), { settings: { reasoningEffort: "high" } });

  expect(body["reasoning"]).toEqual({ effort: "high" });
});

test.each(["responses", "chat", "compatible", "deepseek"] as const)(
  "provider-openai omits an empty reply for %s, which would be rejected permanently",
  async (wire) => {
    await using server = await startRecordingModelServer({ isStrict: true });
    const thought = { role: "assistant", model: "q/other", parts: [{ type: "reasoning", text: "Hm" }] } as const;
    const nothing = { role: "assistant", model: "q/other", parts: [] } as const;
    const blank = { role: "assistant", model: "q/other", parts: [{ type: "text", text: " \n" }] } as const;

    const body = await bodyOf(server, providerOf(server, wire), {
      messages: [question, thought, question, nothing, question, blank, question],
    });

    const list = z.array(z.object({ role: z.string() })).parse(body[wire === "responses" ? "input" : "messages"]);
    const between = wire === "compatible" ? ["assistant"] : []; // An unknown server may require alternating roles.
    const expected = ["user", ...between, "user", ...between, "user", ...between, "user"];
    expect(list.map(({ role }) => role)).toEqual(expected);
  },
);

test.each(["responses", "chat", "compatible", "deepseek"] as const)(
  "provider-openai reads a refusal of %s in any shape, without the key or parts of it",
  async (wire) => {
    await using server = await startRecordingModelServer();
    const answers = [
      [400, JSON.stringify({ error: "This model's maximum prompt length is 131072, and there are 537812" })],
      [422, JSON.stringify({ detail: [{ msg: "field required" }] })],
      [400, `${"x".repeat(390)}${key}`],
    ] as const;
    const failures: ModelFailure[] = [];
    for (const [status, body] of answers) {
      server.enqueue({ kind: "error", status, body });
      for await (const event of providerOf(server, wire).stream(modelRequest({ model: "gpt-5.2" })))
        if (event.type === "failure") failures.push(event.error);
    }

    expect(failures.map(({ code }) => code)).toEqual(["CONTEXT_TOO_LONG", "BAD_REQUEST", "BAD_REQUEST"]);
    expect(failures[0]?.message).toContain("537812");
    expect(failures[1]?.message).toContain("field required");
    expect(failures[2]?.message).not.toContain(key.slice(0, 8));
  },
);
