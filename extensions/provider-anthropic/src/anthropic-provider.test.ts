import type { MessagePart, ModelMessage } from "@incipit/schema";
import {
  modelProvidersPoint,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
} from "@incipit/service-contract";
import {
  modelRequest,
  replyMessage,
  startExtension,
  startRecordingModelServer,
  userMessage as user,
  type RecordingModelServer,
} from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

const key = "sk-ant-test-0123456789";
const tools = ["a", "b"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
const simulated = { isStrict: true, usage: "simulated", cache: { unitTokens: 1, minTokens: 1 } } as const;

interface World extends AsyncDisposable {
  readonly provider: ModelProvider;
}

async function start(server: RecordingModelServer, options: object = {}): Promise<World> {
  const claude = { kind: "anthropic", base_url: server.urlOf("anthropic"), api_key_env: "K", ...options };
  const started = await startExtension(extension, {
    config: { providers: { claude } },
    env: { K: `${key}\n` },
    net: server,
  });
  return Object.assign(started, { provider: started.contribution(modelProvidersPoint) });
}

async function ask(
  { provider }: Pick<World, "provider">,
  options: Partial<ModelRequest> = {},
): Promise<readonly ModelEvent[]> {
  const usual = { model: "claude-test", systemPrompt: ["Be brief.", "Be kind."], tools };
  return Array.fromAsync(provider.stream(modelRequest({ ...usual, ...options })));
}

function assistant(...parts: readonly MessagePart[]): ModelMessage {
  return { role: "assistant", parts, model: "claude/claude-test" };
}

function step(name: string, calls: number): readonly ModelMessage[] {
  const ids = Array.from({ length: calls }, (_, index) => `${name}_${index}`);
  return [
    assistant(
      { type: "text", text: `I look (${name})` },
      ...ids.map((toolCallId) => ({ type: "tool-call", toolCallId, name: "a", input: "{}" }) as const),
    ),
    {
      role: "tool",
      parts: ids.map(
        (toolCallId) =>
          ({ type: "tool-result", toolCallId, name: "a", output: `done ${toolCallId}`, isError: false }) as const,
      ),
    },
  ];
}

function bodiesOf(server: RecordingModelServer): readonly string[] {
  return server.requests.map(({ body }) => body);
}

function bodyOf(server: RecordingModelServer): Record<string, unknown> & { readonly messages: readonly unknown[] } {
  return JSON.parse(server.requests.at(-1)?.body ?? "");
}

test("provider-anthropic sends the key and API version in their headers", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);

  await ask(world);

  expect(server.requests[0]).toMatchObject({
    path: "/v1/messages",
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
  });
  expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
});

test("provider-anthropic sends system blocks with a breakpoint on the last and one for the request", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);

  await ask(world);

  const { system, cache_control } = bodyOf(server);
  expect(system).toEqual([
    { type: "text", text: "Be brief." },
    { type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } },
  ]);
  expect(cache_control).toEqual({ type: "ephemeral" });
  expect(JSON.stringify(bodyOf(server).messages)).not.toContain("cache_control");
});

test("provider-anthropic applies the configured cache TTL to all breakpoints and prices", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server, { cache_ttl: "1h" });
  await using usual = await start(server);

  await ask(world, { messages: [user("one"), ...step("s", 20)] });

  const ttls = [...JSON.stringify(bodyOf(server)).matchAll(/"cache_control":(\{[^}]*\})/g)].map(
    ([, value]) => value,
  );
  expect(ttls).toEqual(Array.from({ length: 3 }, () => '{"type":"ephemeral","ttl":"1h"}'));
  const [name = ""] = usual.provider.models;
  const prices = (await usual.provider.facts?.(name))?.prices;
  expect((await world.provider.facts?.(name))?.prices).toEqual({
    input: Number.NaN,
    output: Number.NaN,
    cacheRead: null,
    ...prices,
    cacheWrite: 2 * (prices?.input ?? Number.NaN),
  });
});

test("provider-anthropic omits blank system texts, and the field when none is left", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);

  await ask(world, { systemPrompt: ["Be brief.", "\n"] });
  const { system } = bodyOf(server);
  await ask(world, { systemPrompt: [" "] });

  expect(system).toEqual([{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }]);
  expect(bodyOf(server)).not.toHaveProperty("system");
});

test("provider-anthropic rejects a blank last message before sending, with advice", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  const answered = [user("one"), assistant({ type: "text", text: "Yes" })];

  for (const messages of [
    [user(" \n")],
    [...answered, user("")],
    [...answered, { role: "user", parts: [] } as const],
  ])
    expect(await ask(world, { messages })).toMatchObject([
      { type: "failure", error: { code: "BAD_REQUEST", message: expect.stringContaining("write something") } },
    ]);
  expect(server.requests).toEqual([]);
  await ask(world, { messages: [...answered, user(" "), user("two")] });

  expect(bodyOf(server).messages).toHaveLength(3);
});

test("provider-anthropic takes the reply limit from the caller, the model or 32,000 tokens", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server, { models: { known: { max_output_tokens: 64_000 } } });

  await ask(world);
  await ask(world, { model: "known" });
  await ask(world, { model: "known", settings: { maxOutputTokens: 77 } });

  expect(bodiesOf(server).map((body) => JSON.parse(body).max_tokens)).toEqual([32_000, 64_000, 77]);
});

test("provider-anthropic disables parallel tool calls on request", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  const tools = [{ name: "find", description: "", inputSchema: { type: "object", properties: {} } }];

  await ask(world, { tools });
  await ask(world, { tools, settings: { parallelToolCalls: false } });

  expect(bodiesOf(server).map((body) => JSON.parse(body).tool_choice?.disable_parallel_tool_use)).toEqual([
    undefined,
    true,
  ]);
});

test("provider-anthropic returns thinking with its signature unchanged, including redacted thinking", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  const reasoning = { text: "Hm\n🎉", signature: "c2ln+/==", redacted: "cmVk" };
  server.enqueue({
    kind: "tool-calls",
    reasoning,
    text: "I look",
    calls: [{ id: "t", name: "a", arguments: "{}" }],
  });

  const said = replyMessage(await ask(world)).parts;
  const result = { type: "tool-result", toolCallId: "t", name: "a", output: "done", isError: true } as const;
  const messages = [user("one"), assistant(...said), { role: "tool", parts: [result] } as const];
  await ask(world, { messages });

  expect(bodyOf(server).messages[1]).toEqual({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm\n🎉", signature: "c2ln+/==" },
      { type: "redacted_thinking", data: "cmVk" },
      { type: "text", text: "I look" },
      { type: "tool_use", id: "t", name: "a", input: {} },
    ],
  });
  expect(bodyOf(server).messages[2]).toEqual({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t", content: "done", is_error: true }],
  });
});

test("provider-anthropic omits thinking without a signature", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  server.enqueue({ kind: "text", chunks: ["Yes"], reasoning: "Hm" });

  const said = replyMessage(await ask(world)).parts;
  await ask(world, { messages: [user("one"), assistant(...said), user("two")] });

  expect(said.map(({ type }) => type)).toEqual(["reasoning", "text"]);
  expect(bodyOf(server).messages[1]).toMatchObject({ role: "assistant", content: [{ type: "text", text: "Yes" }] });
});

test("provider-anthropic omits thinking signed by another model", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  const thought = { type: "reasoning", text: "Hm", metadata: { anthropic: { signature: "c2ln" } } } as const;
  const messages = [user("one"), assistant(thought, { type: "text", text: "Yes" }), user("two")];

  await ask(world, { messages });
  const [own] = bodiesOf(server);
  await ask(world, { messages, model: "claude-other" });

  expect(own).toContain("c2ln");
  expect(JSON.stringify(bodyOf(server))).not.toContain("c2ln");
});

const bound = "claude-fable-5-1";

test("provider-anthropic lets newer models drop thinking whose prefix has changed", async () => {
  await using server = await startRecordingModelServer();
  await using world = await start(server, { extra_headers: { "anthropic-beta": "files-api-2025-04-14" } });
  server.enqueue({ kind: "text", reasoning: { text: "Hm", signature: "Ym91bmQ=" }, chunks: ["Yes"] });
  const said = replyMessage(await ask(world, { model: bound })).parts;
  const history = [user("one"), { ...assistant(...said), model: `claude/${bound}` }, user("two")];
  const changes: readonly Partial<ModelRequest>[] = [
    {},
    { systemPrompt: ["Be another."] },
    { tools: tools.slice(1) },
    { messages: [user("ONE"), ...history.slice(1)] },
  ];

  for (const change of changes) {
    const events = await ask(world, { model: bound, messages: history, ...change });
    expect(events.at(-1)).toMatchObject({ type: "finish" });
    expect(bodyOf(server)).toMatchObject({
      thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
    });
    expect(JSON.stringify(bodyOf(server))).toContain("Ym91bmQ=");
  }
  expect(server.requests.at(-1)?.headers["anthropic-beta"]?.split(",").toSorted()).toEqual([
    "files-api-2025-04-14",
    "structured-outputs-2025-11-13",
    "thinking-binding-controls-2026-08-01",
  ]);
});

test("provider-anthropic omits old thinking when thinking is off, only for newer models", async () => {
  await using server = await startRecordingModelServer();
  await using world = await start(server);
  const thought = { type: "reasoning", text: "Hm", metadata: { anthropic: { signature: "Ym91bmQ=" } } } as const;
  const said: ModelMessage = { role: "assistant", parts: [thought, { type: "text", text: "Yes" }] };
  const messages = [user("one"), said, user("two")];

  await ask(world, { model: bound, messages });
  await ask(world, { model: bound, messages, settings: { reasoningEffort: "none" } });
  await ask(world, { model: bound, messages, settings: { vendorFields: { thinking: { type: "disabled" } } } });
  await ask(world, { model: "claude-sonnet-5", messages });

  const bodies = bodiesOf(server);
  expect(bodies.map((body) => body.includes("Ym91bmQ="))).toEqual([true, false, false, true]);
  expect(bodies.map((body) => body.includes("block_binding"))).toEqual([true, false, false, false]);
});

test("provider-anthropic omits thinking cut off before anything followed", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  const thought = { type: "reasoning", text: "Hm", metadata: { anthropic: { signature: "c2ln" } } } as const;
  const unsigned = { type: "reasoning", text: "Hm" } as const;
  const messages = [user("one"), assistant(thought), user("two"), assistant(unsigned), user("three")];

  await ask(world, { messages: [...messages, assistant(thought, { type: "text", text: " " }), user("four")] });

  expect(bodyOf(server).messages).toMatchObject(
    ["one", "two", "three", "four"].map((text) => ({ content: [{ text }] })),
  );
});

const odd: readonly ModelMessage[] = [
  user("one"),
  user("again, for the first was not answered"),
  assistant(
    { type: "text", text: "\n\n" },
    { type: "tool-call", toolCallId: "functions.a:0", name: "a", input: '{ "x": 1.0' },
    { type: "tool-call", toolCallId: "functions.a.0", name: "a", input: '{"__proto__":{"x":1}}' },
  ),
  {
    role: "tool",
    parts: ["functions.a:0", "functions.a.0"].map(
      (toolCallId) => ({ type: "tool-result", toolCallId, name: "a", output: "", isError: true }) as const,
    ),
  },
  user("I stopped it. Go on \n"),
  assistant({ type: "text", text: "It is done.  " }),
  assistant({ type: "text", text: "Really." }),
  { role: "user", parts: [] },
  user("  "),
  user("two"),
];

test("provider-anthropic omits blank texts, rewrites invalid ids and sends non-objects as {}", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);

  await ask(world, { messages: odd });

  const [, , called, results] = bodyOf(server).messages;
  expect(called).toMatchObject({ content: [{ type: "tool_use", input: {} }, { type: "tool_use" }] });
  expect(JSON.stringify(called)).toContain('"input":{"__proto__":{"x":1}}');
  const idsOf = (value: unknown): readonly string[] =>
    [...JSON.stringify(value).matchAll(/"(?:id|tool_use_id)":"([^"]*)"/g)].map(([, id]) => id ?? "");
  expect(new Set(idsOf(called)).size).toBe(2);
  expect(idsOf(results)).toEqual(idsOf(called));
});

test("provider-anthropic declares tools called in the history but forbids calls when there are none", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);

  await ask(world, { messages: [user("one"), ...step("s", 2)], tools: [] });
  const { tools: named, tool_choice } = bodyOf(server);
  await ask(world, { messages: [user("one")], tools: [] });

  expect({ named, tool_choice }).toMatchObject({ named: [{ name: "a" }], tool_choice: { type: "none" } });
  expect(bodyOf(server)).not.toHaveProperty("tools");
  expect(bodyOf(server)).not.toHaveProperty("tool_choice");
});

test("provider-anthropic reads the previous request from the cache, even after steps beyond the lookback", async () => {
  await using server = await startRecordingModelServer(simulated);
  await using world = await start(server);
  const messages: ModelMessage[] = [user("one")];
  const unread: (number | undefined)[] = [];
  let before = 0;
  for (const calls of [1, 16, 2, 40, 3, 1]) {
    await ask(world, { messages });
    const { inputTokens = 0, cacheReadTokens = 0 } = server.requests.at(-1)?.usage ?? {};
    unread.push(before - cacheReadTokens);
    before = inputTokens;
    messages.push(...step(`s${messages.length}`, calls));
  }

  expect(unread).toEqual([0, 0, 0, 0, 0, 0]);
  const bodies = bodiesOf(server);
  for (const [index, body] of bodies.entries())
    if (index > 0) expect(body).toStartWith(bodies[index - 1]?.slice(0, -2) ?? "none");
});

test("provider-anthropic uses at most four breakpoints and keeps those already sent", async () => {
  await using server = await startRecordingModelServer(simulated);
  await using world = await start(server);
  const messages: ModelMessage[] = [user("one")];
  for (let turn = 0; turn < 5; turn += 1) {
    messages.push(...step(`s${turn}`, 30));
    await ask(world, { messages });
  }

  const bodies = bodiesOf(server);
  expect(bodies.map((body) => body.split('"cache_control"').length - 1)).toEqual([3, 4, 4, 4, 4]);
  for (const [index, body] of bodies.entries())
    if (index > 0) expect(body).toStartWith(bodies[index - 1]?.slice(0, -2) ?? "none");
  // Without its own breakpoint, a long step still reads up to the last one, and later steps read all of it.
  expect(Math.min(...server.requests.slice(2).map(({ usage }) => usage?.cacheReadTokens ?? 0))).toBeGreaterThan(0);
});

test("provider-anthropic reports the code of an error event, retryable when nothing was shown", async () => {
  await using server = await startRecordingModelServer();
  await using world = await start(server);
  const overloaded = { message: "Overloaded", code: 529 };
  server.enqueue(
    { kind: "error-event", chunks: [], error: overloaded },
    { kind: "error-event", chunks: ["Hel"], error: overloaded },
  );

  expect(await ask(world)).toMatchObject([{ type: "failure", error: { code: "OVERLOADED", isRetryable: true } }]);
  expect((await ask(world)).at(-1)).toMatchObject({ error: { code: "OVERLOADED", isRetryable: false } });
});

test("provider-anthropic rejects a reply whose first event is malformed, without retrying", async () => {
  await using server = await startRecordingModelServer();
  await using world = await start(server);
  server.enqueue({
    kind: "error",
    status: 200,
    body: "data: {bad\n\n",
    headers: { "content-type": "text/event-stream" },
  });

  expect(await ask(world)).toMatchObject([
    { type: "failure", error: { code: "BAD_RESPONSE", isRetryable: false } },
  ]);
});

test("provider-anthropic ignores unknown events", async () => {
  await using server = await startRecordingModelServer();
  await using world = await start(server);
  const events = [
    { type: "message_start", message: { id: "m", content: [], usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: "weather_report", sun: true },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null } },
    { type: "message_stop" },
  ];
  const body = events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join("");
  server.enqueue({ kind: "error", status: 200, body, headers: { "content-type": "text/event-stream" } });

  const given = await ask(world);

  expect(given.flatMap((event) => (event.type === "text-delta" ? [event.text] : []))).toEqual(["Hi"]);
  expect(given.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens: 3, outputTokens: null } });
});

test("provider-anthropic sends images and documents as blocks", async () => {
  await using server = await startRecordingModelServer({ isStrict: true });
  await using world = await start(server);
  const image = { type: "file", mediaType: "image/png", data: "AAEC/w==" } as const;
  const pdf = { type: "file", mediaType: "application/pdf", data: "JVBERg==", filename: "a b.pdf" } as const;

  await ask(world, { messages: [{ role: "user", parts: [{ type: "text", text: "See" }, image, pdf] }] });

  expect(bodyOf(server).messages).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAEC/w==" } },
        {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
          title: "a b.pdf",
        },
      ],
    },
  ]);
  const takes = (mediaType: string): boolean | undefined =>
    world.provider.acceptsFile?.({ model: "claude-test", mediaType });
  expect(["image/png", "application/pdf", "image/svg+xml", "audio/wav"].map(takes)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("provider-anthropic names the missing variable and sends nothing", async () => {
  await using server = await startRecordingModelServer();
  await using started = await startExtension(extension, {
    config: { providers: { claude: { kind: "anthropic", base_url: server.urlOf("anthropic") } } },
    net: server,
  });
  const provider = started.contribution(modelProvidersPoint);

  const events = await ask({ provider });

  expect(provider.problem).toContain("ANTHROPIC_API_KEY");
  expect(events).toMatchObject([{ type: "failure", error: { code: "NOT_CONFIGURED" } }]);
  expect(server.requests).toEqual([]);
});
