import type { MessagePart } from "@incipit/schema";
import {
  workObserversPoint,
  type EmbeddingWork,
  type ModelCallWork,
  type ToolCallWork,
  type TurnWork,
  type Work,
} from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { expect, test } from "bun:test";
import * as z from "zod";
import extension from "./extension.ts";

/** Earlier times are interpreted as relative to the process start. */
const startMs = Date.UTC(2100, 0, 1);
const nanosAfter = (ms: number): string => `${startMs + ms}000000`;

const turn: TurnWork = {
  type: "turn",
  conversationId: "c",
  turnId: "0199a000-0000-7000-8000-000000000001",
  profile: "coder",
  asked: { provider: "acme", model: "one", vendor: "gcp.gemini" },
  startedAtMs: startMs,
  endedAtMs: startMs + 3_000,
  status: "failed",
  error: { code: "OVERLOADED", message: "No room" },
};
const call: ModelCallWork = {
  type: "model-call",
  conversationId: "c",
  turnId: turn.turnId,
  callId: "call",
  purpose: "turn",
  provider: "acme",
  model: "one",
  vendor: "gcp.gemini",
  serverUrl: "https://api.acme.dev",
  startedAtMs: startMs,
  firstEventAtMs: startMs + 250,
  endedAtMs: startMs + 2_000,
  attempts: 2,
  settings: {
    temperature: 0.5,
    topP: 0.9,
    maxOutputTokens: 100,
    seed: 7,
    stopSequences: ["END"],
    responseFormat: { type: "json" },
    vendorFields: { top_k: 40 },
  },
  response: { id: "resp-1", model: "one-2026" },
  usage: { inputTokens: 20, outputTokens: 5, cacheReadTokens: 8, cacheWriteTokens: null, reasoningTokens: 3 },
  finishReason: "tool-calls",
  error: null,
};
const tool: ToolCallWork = {
  type: "tool-call",
  conversationId: "c",
  turnId: turn.turnId,
  toolCallId: "t",
  name: "look",
  description: "Looks around",
  calledBy: { provider: "acme", model: "one", vendor: "gcp.gemini" },
  startedAtMs: startMs + 2_000,
  endedAtMs: startMs + 2_500,
  error: null,
};

const embeddings: EmbeddingWork = {
  type: "embeddings",
  callId: "call",
  provider: "acme",
  model: "small",
  vendor: "openai",
  serverUrl: "http://acme.test:8080",
  startedAtMs: startMs,
  endedAtMs: startMs + 500,
  attempts: 1,
  dimensions: 256,
  encodingFormat: "base64",
  responseModel: "small-2026",
  inputTokens: 9,
  error: null,
};

const attributeSchema = z
  .object({ key: z.string(), value: z.record(z.string(), z.json()) })
  .transform(({ key, value }) => [key, Object.values(value)[0]] as const);
const attributesSchema = z.array(attributeSchema).transform((entries) => Object.fromEntries(entries));
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  status: z.object({ code: z.int(), message: z.string().optional() }),
});
const resourceSchema = z.object({ attributes: attributesSchema });
const tracesSchema = z.object({
  resourceSpans: z.array(
    z.object({ resource: resourceSchema, scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) }),
  ),
});
const pointSchema = z.object({
  count: z.number(),
  sum: z.number(),
  explicitBounds: z.array(z.number()),
  attributes: attributesSchema,
});
const metricSchema = z.object({ name: z.string(), histogram: z.object({ dataPoints: z.array(pointSchema) }) });
const metricsSchema = z.object({
  resourceMetrics: z.array(z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(metricSchema) })) })),
});

interface Exported {
  readonly urls: readonly string[];
  readonly resources: readonly unknown[];
  readonly spans: readonly z.infer<typeof spanSchema>[];
  readonly metrics: ReadonlyMap<string, readonly z.infer<typeof pointSchema>[]>;
}

const otlp_url = "https://collector.acme.dev";

async function idle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function exported(...works: readonly Work[]): Promise<Exported> {
  const sent: { readonly url: string; readonly body: unknown }[] = [];
  const started = await startExtension(extension, {
    config: {
      telemetry: { otlp_url: "https://collector.acme.dev/otlp//", service_name: "mine" },
      version: "1.2.3",
    },
    net: (url, { body }) => {
      sent.push({ url, body: JSON.parse(z.string().parse(body)) });
      return new Response("{}");
    },
  });
  for (const work of works) started.contribution(workObserversPoint).observe(work);
  await started[Symbol.asyncDispose]();
  const resourceSpans = sent
    .filter(({ url }) => url.endsWith("/v1/traces"))
    .flatMap(({ body }) => tracesSchema.parse(body).resourceSpans);
  const metrics = sent
    .filter(({ url }) => url.endsWith("/v1/metrics"))
    .flatMap(({ body }) => metricsSchema.parse(body).resourceMetrics)
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return {
    urls: sent.map(({ url }) => url).toSorted(),
    resources: resourceSpans.map(({ resource }) => resource.attributes),
    spans: resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    metrics: new Map(metrics.map(({ name, histogram }) => [name, histogram.dataPoints])),
  };
}

test("telemetry-otlp exports a turn as a trace with its call and tool by shutdown", async () => {
  const { urls, resources, spans } = await exported(call, tool, turn);

  expect(urls).toEqual(["metrics", "traces"].map((signal) => `https://collector.acme.dev/otlp/v1/${signal}`));
  expect(resources).toEqual([{ "service.name": "mine", "service.version": "1.2.3" }]);
  const [, , root] = spans;
  const traceId = turn.turnId.replaceAll("-", "");
  expect(root?.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
  const inTurn = { traceId, spanId: expect.any(String), parentSpanId: root?.spanId ?? "none" };
  expect(spans.map((span) => ({ parentSpanId: "", ...span }))).toEqual([
    {
      ...inTurn,
      name: "chat one",
      kind: 3,
      startTimeUnixNano: nanosAfter(0),
      endTimeUnixNano: nanosAfter(2_000),
      status: { code: 0 },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "one",
        "gen_ai.request.stream": true,
        "gen_ai.output.type": "json",
        "gen_ai.response.id": "resp-1",
        "gen_ai.response.model": "one-2026",
        "gen_ai.response.time_to_first_chunk": 0.25,
        "server.address": "api.acme.dev",
        "server.port": 443,
        "gen_ai.conversation.id": "c",
        "gen_ai.response.finish_reasons": { values: [{ stringValue: "tool_call" }] },
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read.input_tokens": 8,
        "gen_ai.usage.reasoning.output_tokens": 3,
        "gen_ai.request.top_k": 40,
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.top_p": 0.9,
        "gen_ai.request.max_tokens": 100,
        "gen_ai.request.seed": 7,
        "gen_ai.request.stop_sequences": { values: [{ stringValue: "END" }] },
        "incipit.provider": "acme",
        "incipit.call.id": "call",
        "incipit.call.purpose": "turn",
        "incipit.call.attempts": 2,
      },
    },
    {
      ...inTurn,
      name: "execute_tool look",
      kind: 1,
      startTimeUnixNano: nanosAfter(2_000),
      endTimeUnixNano: nanosAfter(2_500),
      status: { code: 0 },
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.description": "Looks around",
        "gen_ai.conversation.id": "c",
        "gen_ai.tool.call.id": "t",
        "gen_ai.tool.type": "function",
      },
    },
    {
      ...inTurn,
      parentSpanId: "",
      name: "invoke_agent coder",
      kind: 1,
      startTimeUnixNano: nanosAfter(0),
      endTimeUnixNano: nanosAfter(3_000),
      status: { code: 2, message: "No room" },
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "one",
        "gen_ai.agent.name": "coder",
        "error.type": "OVERLOADED",
        "gen_ai.conversation.id": "c",
        "incipit.turn.id": turn.turnId,
        "incipit.turn.status": "failed",
      },
    },
  ]);
});

test("telemetry-otlp exports a call without a turn as its own trace, with known server attributes", async () => {
  const loose: ModelCallWork = { ...call, turnId: null, conversationId: null, serverUrl: "http://acme.test:8080" };
  const others = ["http://acme.test", null].map((serverUrl) => ({ ...loose, serverUrl }));
  const { spans } = await exported(turn, loose, ...others);

  for (const ids of [spans.map(({ traceId }) => traceId), spans.map(({ spanId }) => spanId)])
    expect(new Set(ids).size).toBe(4);
  expect(spans.map(({ parentSpanId = "" }) => parentSpanId)).toEqual(["", "", "", ""]);
  expect(spans.slice(1).map(({ attributes }) => [attributes["server.address"], attributes["server.port"]])).toEqual(
    [
      ["acme.test", 8080],
      ["acme.test", 80],
      [undefined, undefined],
    ],
  );
});

test("telemetry-otlp exports an embeddings request as its own trace, without unset values", async () => {
  const bare = { ...embeddings, dimensions: null, encodingFormat: null, responseModel: null, inputTokens: null };
  const { spans, metrics } = await exported(embeddings, bare);

  const common = {
    "gen_ai.operation.name": "embeddings",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "small",
    "server.address": "acme.test",
    "server.port": 8080,
    "incipit.provider": "acme",
    "incipit.call.id": "call",
    "incipit.call.attempts": 1,
  };
  const asked = {
    "gen_ai.response.model": "small-2026",
    "gen_ai.embeddings.dimension.count": 256,
    "gen_ai.request.encoding_formats": { values: [{ stringValue: "base64" }] },
    "gen_ai.usage.input_tokens": 9,
  };
  expect(
    spans.map(({ name, kind, parentSpanId = "", attributes }) => [name, kind, parentSpanId, attributes]),
  ).toEqual([
    ["embeddings small", 3, "", { ...common, ...asked }],
    ["embeddings small", 3, "", common],
  ]);
  const tokens = metrics.get("gen_ai.client.token.usage");
  expect(tokens?.map(({ count, sum, attributes }) => [attributes["gen_ai.token.type"], count, sum])).toEqual([
    ["input", 1, 9],
  ]);
  expect([...metrics.keys()].toSorted()).toEqual(["gen_ai.client.operation.duration", "gen_ai.client.token.usage"]);
});

test("telemetry-otlp records the error type of failed operations", async () => {
  const error = { code: "OVERLOADED", message: "No room" };
  const { spans } = await exported({ ...call, error }, { ...embeddings, error }, { ...tool, error }, turn);

  expect(spans.map(({ attributes, status }) => [attributes["error.type"], status.message])).toEqual(
    spans.map(() => ["OVERLOADED", "No room"]),
  );
});

test("telemetry-otlp measures duration, time to first chunk, and reported tokens", async () => {
  const uncounted = { ...call, usage: null, firstEventAtMs: null, vendor: null, provider: "other" };
  const { metrics } = await exported(call, uncounted, tool);
  const told = (name: string): unknown =>
    metrics
      .get(`gen_ai.client.${name}`)
      ?.map(({ count, sum, attributes }) => [
        attributes["gen_ai.tool.name"] ?? attributes["gen_ai.provider.name"],
        attributes["gen_ai.token.type"],
        count,
        sum,
      ]);

  expect(told("operation.duration")).toEqual([
    ["gcp.gemini", undefined, 1, 2],
    ["other", undefined, 1, 2],
    ["look", undefined, 1, 0.5],
  ]);
  expect(told("operation.time_to_first_chunk")).toEqual([["gcp.gemini", undefined, 1, 0.25]]);
  expect(told("token.usage")).toEqual([
    ["gcp.gemini", "input", 1, 20],
    ["gcp.gemini", "output", 1, 5],
  ]);
  // https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-metrics.md
  const bounds = (name: string): unknown => metrics.get(`gen_ai.client.${name}`)?.[0]?.explicitBounds;
  const seconds = Array.from({ length: 14 }, (_, index) => 2 ** index / 100);
  expect(bounds("operation.duration")).toEqual(seconds);
  expect(bounds("operation.time_to_first_chunk")).toEqual(seconds);
  expect(bounds("token.usage")).toEqual(Array.from({ length: 14 }, (_, index) => 4 ** index));
});

test("telemetry-otlp exports prompts and replies when given", async () => {
  const parts: readonly MessagePart[] = [
    { type: "text", text: "Hi" },
    { type: "reasoning", text: "Hm" },
    { type: "tool-call", toolCallId: "t", name: "look", input: "{}" },
    { type: "tool-result", toolCallId: "t", name: "look", output: "seen", isError: false },
    { type: "file", mediaType: "image/png", data: "AAEC" },
  ];
  const content = {
    systemPrompt: ["Be kind."],
    messages: [{ role: "user", parts }],
    tools: [{ name: "look", description: "Looks", inputSchema: { type: "object" } }],
    reply: [{ type: "text", text: "Yes" }],
  } as const;
  const bare = { ...content, systemPrompt: [], tools: [] };
  const { spans } = await exported(
    { ...call, content },
    { ...call, content: bare, finishReason: null },
    { ...tool, content: { input: "{}", output: "seen" } },
  );

  const [full, empty, ran] = spans.map(({ attributes }) => attributes);
  const read = (attributes: typeof full, name: string): unknown => {
    const text = attributes?.[name];
    return typeof text === "string" ? JSON.parse(text) : text;
  };
  expect(read(full, "gen_ai.system_instructions")).toEqual([{ type: "text", content: "Be kind." }]);
  expect(read(full, "gen_ai.input.messages")).toEqual([
    {
      role: "user",
      parts: [
        { type: "text", content: "Hi" },
        { type: "reasoning", content: "Hm" },
        { type: "tool_call", id: "t", name: "look", arguments: "{}" },
        { type: "tool_call_response", id: "t", response: "seen" },
        { type: "blob", modality: "image", mime_type: "image/png", content: "AAEC" },
      ],
    },
  ]);
  const said = { role: "assistant", parts: [{ type: "text", content: "Yes" }] };
  expect(read(full, "gen_ai.output.messages")).toEqual([{ ...said, finish_reason: "tool_call" }]);
  expect(read(empty, "gen_ai.output.messages")).toEqual([{ ...said, finish_reason: "error" }]);
  expect(read(full, "gen_ai.tool.definitions")).toEqual([
    { type: "function", name: "look", description: "Looks", parameters: { type: "object" } },
  ]);
  for (const name of ["gen_ai.system_instructions", "gen_ai.tool.definitions"])
    expect(read(empty, name)).toBeUndefined();
  expect(ran).toMatchObject({ "gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": "seen" });
});

test("telemetry-otlp reads headers from set variables and reports a failing export once", async () => {
  const headers: unknown[] = [];
  let status = 400;
  const started = await startExtension(extension, {
    config: {
      telemetry: { otlp_url, headers_env: { "x-team": "TEAM", "x-none": "NONE" } },
      trace_interval_ms: 1,
      metric_interval_ms: 3_600_000,
    },
    env: { TEAM: "blue" },
    net: (_url, init) => {
      headers.push(init.headers);
      return new Response("", { status });
    },
  });
  const observer = started.contribution(workObserversPoint);
  for (const next of [400, 400, 200, 400]) {
    status = next;
    const before = headers.length;
    observer.observe(tool);
    while (headers.length === before) await idle(1);
    await idle(20);
  }
  const told = started.logs.map(({ level, message }) => `${level}: ${message}`);
  await started[Symbol.asyncDispose]();

  expect(headers[0]).toEqual({ "x-team": "blue", "content-type": "application/json" });
  expect(told).toEqual([
    "warn: The traces cannot be sent, and are dropped: see telemetry.otlp_url",
    "info: The traces are accepted again",
    "warn: The traces cannot be sent, and are dropped: see telemetry.otlp_url",
  ]);
  expect(started.logs[0]?.fields).toEqual({ error: "It answered 400" });
});

test("telemetry-otlp waits for all exports in flight at shutdown", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const steps: string[] = [];
  let exports = 0;
  const started = await startExtension(extension, {
    config: { telemetry: { otlp_url }, trace_interval_ms: 1 },
    net: async (url) => {
      if (url.endsWith("/metrics")) return new Response("{}");
      exports += 1;
      const which = exports;
      asked.resolve();
      const response = which === 1 ? await answer.promise : new Response("{}");
      steps.push(`traces ${which} are taken`);
      return response;
    },
  });
  started.contribution(workObserversPoint).observe(turn);
  await asked.promise;
  started.contribution(workObserversPoint).observe(tool);

  const closing = started[Symbol.asyncDispose]().then(() => steps.push("the host has ended"));
  await idle(50);
  answer.resolve(new Response("{}"));
  await closing;

  expect(steps).toEqual(["traces 2 are taken", "traces 1 are taken", "the host has ended"]);
});

test("telemetry-otlp lets the host end after a second when a collector does not respond", async () => {
  const stopped: string[] = [];
  const started = await startExtension(extension, {
    config: { telemetry: { otlp_url } },
    net: (url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          stopped.push(url.slice(url.lastIndexOf("/") + 1));
          reject(new Error("aborted"));
        });
      }),
  });
  started.contribution(workObserversPoint).observe(turn);

  const closing = started[Symbol.asyncDispose]();
  await idle(50);
  await started.clock.advance(1_000);
  const stoppedInTime = stopped.toSorted();
  await closing;

  expect(stoppedInTime).toEqual(["metrics", "traces"]);
});

const own = /^incipit\./;

test("telemetry-otlp emits only attributes of the published model, including all required ones", async () => {
  const published = new Set<string>(Object.values(conventions).filter((value) => typeof value === "string"));
  const content = {
    systemPrompt: ["a"],
    messages: [],
    tools: [{ name: "a", description: "", inputSchema: {} }],
    reply: [],
  };
  const { spans, metrics } = await exported(
    { ...call, content },
    { ...tool, content: { input: "{}", output: "" } },
    turn,
    { ...turn, asked: null },
    embeddings,
  );
  const points = [...metrics.values()].flat();
  const names = [...spans, ...points].flatMap(({ attributes }) => Object.keys(attributes));

  expect([...metrics.keys()].filter((name) => !published.has(name))).toEqual([]);
  expect([...new Set(names)].filter((name) => !published.has(name) && !own.test(name))).toEqual([]);
  for (const { attributes } of [...spans, ...points])
    for (const required of [conventions.ATTR_GEN_AI_OPERATION_NAME, conventions.ATTR_GEN_AI_PROVIDER_NAME])
      expect(attributes[required]).toEqual(expect.any(String));
});

test("telemetry-otlp names finish reasons like the schema of output messages", async () => {
  const reasons = ["stop", "length", "content-filter", "tool-calls", "error", "other"] as const;
  const { spans } = await exported(...reasons.map((finishReason) => ({ ...call, finishReason })));

  expect(spans.map(({ attributes }) => attributes["gen_ai.response.finish_reasons"])).toEqual(
    ["stop", "length", "content_filter", "tool_call", "error", "other"].map((reason) => ({
      values: [{ stringValue: reason }],
    })),
  );
});

test("telemetry-otlp accepts any service name but an empty one", async () => {
  const start = async (name: string): Promise<void> => {
    const config = { telemetry: { otlp_url, service_name: name } };
    await using _ = await startExtension(extension, { config, net: () => new Response("{}") });
  };

  await start("a");
  expect(start("")).rejects.toThrow("service_name");
});
