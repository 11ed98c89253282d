import type { TurnEvent } from "@incipit/schema";
import type { RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import type { HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }): unknown => stringValue),
  z.object({ intValue: z.number() }).transform(({ intValue }): unknown => intValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }): unknown => boolValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }): unknown => doubleValue),
  z
    .object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }): unknown => arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((entries): Readonly<Record<string, unknown>> =>
    Object.fromEntries(entries.map(({ key, value }) => [key, value])),
  );
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: attributesSchema,
  status: z.object({ code: z.int(), message: z.string().optional() }),
});
const tracesSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});
const dataPointSchema = z.object({ count: z.number(), sum: z.number(), attributes: attributesSchema });
const metricsSchema = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              unit: z.string(),
              histogram: z.object({ dataPoints: z.array(dataPointSchema) }),
            }),
          ),
        }),
      ),
    }),
  ),
});

class Collector implements AsyncDisposable {
  readonly received: { readonly path: string; readonly headers: Headers; readonly body: string }[] = [];
  readonly refusals: Response[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const body = await request.text();
      const refusal = this.refusals.shift();
      if (refusal !== undefined) return refusal;
      this.received.push({ path, headers: request.headers, body });
      for (const resolve of this.#waiting) resolve();
      return Response.json({});
    },
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  get spans(): readonly z.infer<typeof spanSchema>[] {
    return this.received
      .filter(({ path }) => path === "/v1/traces")
      .flatMap(({ body }) => tracesSchema.parse(JSON.parse(body)).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  }

  /** Metrics are cumulative. */
  get metrics(): z.infer<typeof metricsSchema>["resourceMetrics"][number]["scopeMetrics"][number]["metrics"] {
    return this.received
      .filter(({ path }) => path === "/v1/metrics")
      .slice(-1)
      .flatMap(({ body }) => metricsSchema.parse(JSON.parse(body)).resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  }

  get tokens(): readonly z.infer<typeof dataPointSchema>[] {
    return this.metrics.find(({ name }) => name === "gen_ai.client.token.usage")?.histogram.dataPoints ?? [];
  }

  /** An ending host flushes for one second, which may not suffice on a busy machine. */
  async until(isThere: (collector: Collector) => boolean): Promise<void> {
    while (!isThere(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

const key = "sk-telemetry-0123456789";

/** Short intervals, since the test waits for them. */
const soon = "extensions.settings.telemetry-otlp = { trace_interval_ms = 20, metric_interval_ms = 500 }\n";

async function converse(
  settings: string,
  script: (host: HostProcess, id: string, model: RecordingModelServer) => Promise<void>,
): Promise<{ readonly exitCode: number; readonly log: string }> {
  await using world = await World.start({
    config: `system_prompt = "Told in confidence."
tools.workspace = true
providers.local.api_key_env = "LOCAL_KEY"
${settings}`,
    env: { LOCAL_KEY: key, OTLP_AUTHORIZATION: "Bearer collector-secret-1" },
    files: { "tides.md": "" },
  });
  const host = await world.host();
  const { id } = await host.createConversation();
  await script(host, id, world.model);
  return { exitCode: await host.kill("SIGTERM"), log: await host.stderr() };
}

async function lookAround(
  host: HostProcess,
  id: string,
  model: RecordingModelServer,
): Promise<readonly TurnEvent[]> {
  model.enqueueCall("list_folder", { path: "." });
  return host.turn(id, { input: "What is here?" });
}

test("telemetry: a turn is a trace of model and tool calls without content", async () => {
  await using collector = new Collector();
  collector.refusals.push(new Response("", { status: 503, headers: { "retry-after": "0" } }));
  let turnId = "";
  let conversationId = "";
  const { exitCode } = await converse(
    `${soon}telemetry = { otlp_url = "${collector.url}", headers_env = { authorization = "OTLP_AUTHORIZATION" } }`,
    async (host, id, model) => {
      conversationId = id;
      turnId = (await lookAround(host, id, model))[0]?.turnId ?? "";
      model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no such thing"}}' });
      await host.turn(id, { input: "And now?" });
      await collector.until(({ spans, tokens: [input] }) => spans.length === 6 && input?.count === 2);
    },
  );

  expect(exitCode).toBe(0);
  const { spans, metrics, received } = collector;
  const ofTurn = spans.filter(({ traceId }) => traceId === turnId.replaceAll("-", ""));
  const root = ofTurn.find(({ name }) => name === "invoke_agent default");
  expect(root).toMatchObject({
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "local",
      "gen_ai.conversation.id": conversationId,
    },
    status: { code: 0 },
  });
  expect(root?.parentSpanId ?? "").toBe("");
  const inside = ofTurn.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(inside.map(({ name }) => name)).toEqual(["chat test", "execute_tool list_folder", "chat test"]);
  expect(inside[0]).toMatchObject({
    kind: 3,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "local",
      "gen_ai.request.model": "test",
      "gen_ai.request.stream": true,
      "gen_ai.response.model": "test-model",
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read.input_tokens": 8,
      "server.address": "127.0.0.1",
    },
  });
  expect(inside[0]?.attributes).not.toHaveProperty("gen_ai.usage.cache_creation.input_tokens"); // Unreported is not 0.
  expect(inside[1]).toMatchObject({
    attributes: {
      "gen_ai.tool.name": "list_folder",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.tool.description": expect.stringContaining("folder"),
    },
  });
  const failed = spans.filter(({ status }) => status.code === 2);
  expect(failed.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
    ["chat test", "BAD_REQUEST"],
    ["invoke_agent default", "BAD_REQUEST"],
  ]);
  expect(metrics.map(({ name, unit }) => `${name} in ${unit}`).toSorted()).toEqual([
    "gen_ai.client.operation.duration in s",
    "gen_ai.client.operation.time_to_first_chunk in s",
    "gen_ai.client.token.usage in {token}",
  ]);
  expect(
    collector.tokens.map(({ count, sum, attributes }) => [attributes["gen_ai.token.type"], count, sum]),
  ).toEqual([
    ["input", 2, 40],
    ["output", 2, 10],
  ]);
  const sent = received.map(({ body }) => body).join("");
  for (const content of ["Told in confidence", "What is here", "Reply 2", key, "collector-secret"])
    expect(sent).not.toContain(content);
  for (const { headers } of received) expect(headers.get("authorization")).toBe("Bearer collector-secret-1");
});

test("telemetry: an embeddings request is a span, also when failed or aborted, without its texts", async () => {
  await using collector = new Collector();
  const settings = `${soon}telemetry = { otlp_url = "${collector.url}", content = true }`;
  await converse(settings, async (host, _id, model) => {
    const body = { model: "local/nomic", input: "a confidential text", dimensions: 3 };
    await host.fetch("/v1/embeddings", { body });
    model.enqueue(
      { kind: "error", status: 429, body: `{"error":{"message":"Slow down, ${key}"}}` },
      { kind: "never" },
    );
    await host.fetch("/v1/embeddings", { body });
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${host.token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body), signal: leave.signal };
    const left = fetch(`${host.url}/v1/embeddings`, init).catch(() => undefined);
    await model.waitForRequests(3);
    leave.abort();
    await left;
    await model.waitFor(({ requests }) => requests[2]?.isAborted === true);
    await collector.until(({ spans }) => spans.length === 3);
  });

  const { spans, received } = collector;
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual(spans.map(() => ["embeddings nomic", 3]));
  expect(
    spans.map(({ attributes }) => [attributes["error.type"], attributes["gen_ai.usage.input_tokens"]]),
  ).toEqual([
    [undefined, 5],
    ["RATE_LIMITED", undefined],
    [undefined, undefined],
  ]);
  const sent = received.map(({ body }) => body).join("");
  expect(sent).toContain("Slow down, [key]");
  for (const content of ["confidential", key]) expect(sent).not.toContain(content);
});

test("[closed-by-default] telemetry: content is included when enabled, redacted like records", async () => {
  await using collector = new Collector();
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  await converse(
    `${soon}telemetry = { otlp_url = "${collector.url}", content = true }`,
    async (host, id, model) => {
      await lookAround(host, id, model);
      model.enqueueCall("list_folder", { path: secret });
      model.enqueueText(`I saw\n${secret}`);
      await host.turn(id, { input: `Mine is\n${secret}, and this is ${key}` });
      await collector.until(({ spans }) => spans.length === 8);
    },
  );

  const chats = collector.spans.filter(({ name }) => name === "chat test");
  const [system, input, output] = ["system_instructions", "input.messages", "output.messages"].map((name) =>
    chats.map(({ attributes }) => JSON.parse(z.string().parse(attributes[`gen_ai.${name}`]))),
  );
  expect(system?.[0]).toEqual([{ type: "text", content: "Told in confidence." }]);
  expect(input?.[0]).toEqual([{ role: "user", parts: [{ type: "text", content: "What is here?" }] }]);
  expect(output?.[1]).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "Reply 2" }], finish_reason: "stop" },
  ]);
  const tool = collector.spans.find(({ name }) => name === "execute_tool list_folder");
  expect(tool?.attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"path":"."}',
    "gen_ai.tool.call.result": expect.stringContaining("tides.md"),
  });
  const sent = collector.received.map(({ body }) => body).join("");
  expect(chats).toHaveLength(4);
  expect(sent).toContain("Mine is");
  for (const planted of [secret, key]) expect(sent).not.toContain(planted);
});

test("[closed-by-default] telemetry: a tool's error text counts as content", async () => {
  await using collector = new Collector();
  await converse(`${soon}telemetry = { otlp_url = "${collector.url}" }`, async (host, id, model) => {
    model.enqueueCall("read_file", { path: "confidential-name.txt" });
    const events = await host.turn(id, { input: "Read it" });
    expect(JSON.stringify(events)).toContain("confidential-name.txt");
    await collector.until(({ spans }) => spans.length === 4);
  });

  const tool = collector.spans.find(({ name }) => name === "execute_tool read_file");
  expect(tool?.status).toEqual({ code: 2, message: 'The call of "read_file" failed' });
  expect(collector.received.map(({ body }) => body).join("")).not.toContain("confidential-name");
});

test("telemetry: a failing, absent or silent collector delays nothing, and is logged once without secrets", async () => {
  await using collector = new Collector();
  collector.refusals.push(...Array.from({ length: 8 }, () => new Response("collector-secret-1", { status: 400 })));
  const fetch = (): Promise<Response> => new Promise(() => {});
  const silent = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch });

  for (const url of [collector.url, "http://127.0.0.1:1", `http://127.0.0.1:${silent.port}`]) {
    const setting = `telemetry = { otlp_url = "${url}", headers_env = { authorization = "OTLP_AUTHORIZATION" } }`;
    const { exitCode, log } = await converse(setting, async (host, id, model) => {
      const events = await lookAround(host, id, model);
      expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    });
    expect([url, exitCode]).toEqual([url, 0]);
    expect(log.split("\n").filter((line) => line.includes("traces cannot be sent"))).toHaveLength(1);
    expect(log).not.toMatch(/collector-secret|Cannot release/);
  }
  await silent.stop(true);
});

test("telemetry: disabled without a collector", async () => {
  const { log } = await converse("", async (host, id, model) => {
    await lookAround(host, id, model);
    expect(await host.json("/extensions")).toMatchObject({
      extensions: expect.arrayContaining([expect.objectContaining({ id: "telemetry-otlp", phase: "active" })]),
    });
  });
  expect(log).not.toContain("telemetry");
});
