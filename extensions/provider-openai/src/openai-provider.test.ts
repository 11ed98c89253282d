import { KernelError, type Environment, type Net, type WireRequest } from "@incipit/kernel";
import type { ModelMessage, ModelSettings } from "@incipit/schema";
import { ServiceError, type ModelEvent, type ModelProvider, type ModelRequest } from "@incipit/service-contract";
import { startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createOpenaiProvider } from "./openai-provider.ts";
import type { ConfiguredEndpoint } from "./configuration.ts";

const kinds = ["openai", "openai-compatible", "deepseek"] as const;
const key = "sk-test-0123456789";

/** Real sockets, with observers notified like the host's driver does. */
const net: Net = {
  webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
  async fetch(url, { observe, ...init } = {}) {
    const body = typeof init.body === "string" ? init.body : "";
    await observe?.({ method: init.method ?? "GET", url, headers: {}, body, sha256: "", at: 0 });
    return fetch(url, { ...init, redirect: "manual" });
  },
};

const env: Environment = { get: (name) => (name === "TEST_KEY" ? key : undefined) };

function provider(kind: ConfiguredEndpoint["kind"], server: Pick<RecordingModelServer, "url">): ModelProvider {
  return createOpenaiProvider({
    id: "local",
    endpoint: { kind, api: "chat", baseUrl: server.url, apiKeyEnv: "TEST_KEY" },
    net,
    env,
  });
}

function user(text: string): ModelMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

function assistant(toolCallId: string, input: string): ModelMessage {
  return { role: "assistant", parts: [{ type: "tool-call", toolCallId, name: "a", input }] };
}

function result(toolCallId: string): ModelMessage {
  return { role: "tool", parts: [{ type: "tool-result", toolCallId, name: "a", output: "done", isError: false }] };
}

function request(options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "test-model",
    conversationId: "c",
    cwd: "/work",
    purpose: "turn",
    systemPrompt: ["Be brief."],
    messages: [user("one")],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
    ...options,
  };
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

for (const kind of kinds) {
  test(`createOpenaiProvider(${kind}) streams text and distinguishes reported from unreported usage`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "text", chunks: ["Hel", "lo"] }, { kind: "text", chunks: ["x"], usage: "absent" });

    const reported = await collect(provider(kind, server).stream(request()));
    const absent = await collect(provider(kind, server).stream(request()));

    expect(reported.flatMap((event) => (event.type === "text-delta" ? [event.text] : []))).toEqual(["Hel", "lo"]);
    expect(reported.at(-1)).toMatchObject({
      type: "finish",
      finishReason: "stop",
      usage: { inputTokens: 20, outputTokens: 5 },
    });
    expect(absent.at(-1)).toMatchObject({
      type: "finish",
      usage: { inputTokens: null, outputTokens: null, cacheReadTokens: null },
    });
  });

  test(`createOpenaiProvider(${kind}) sends system texts first, joined where required, and omits none`, async () => {
    await using server = await startRecordingModelServer();
    await collect(provider(kind, server).stream(request({ systemPrompt: ["One.", "Two."] })));
    await collect(provider(kind, server).stream(request({ systemPrompt: [] })));

    const [two, none] = server.requests.map(({ body }) => JSON.parse(body));

    expect(
      two.messages
        .map((message: { role: string; content: unknown }) => [message.role, message.content])
        .filter(([role]: readonly string[]) => role === "system"),
    ).toEqual(
      kind === "openai-compatible"
        ? [["system", "One.\n\nTwo."]]
        : [
            ["system", "One."],
            ["system", "Two."],
          ],
    );
    expect(none.messages.map((message: { role: string }) => message.role)).toEqual(["user"]);
    expect(server.requests[1]?.body).not.toContain("system");
  });

  test(`createOpenaiProvider(${kind}) makes each request a byte prefix of the next, with unchanged tool calls`, async () => {
    await using server = await startRecordingModelServer();
    const input = '{ "b" : 1,"a":"é\\u0000" }';
    const tools = [{ name: "a", description: "A", inputSchema: { type: "object", properties: {} } }];
    const history: ModelMessage[] = [user('NUL \u0000, "quotes", line\nbreak, 🎉')];
    await collect(provider(kind, server).stream(request({ tools, messages: [...history] })));
    history.push(
      {
        role: "assistant",
        parts: [
          { type: "text", text: "I call." },
          { type: "tool-call", toolCallId: "t1", name: "a", input },
        ],
      },
      {
        role: "tool",
        parts: [{ type: "tool-result", toolCallId: "t1", name: "a", output: "done", isError: false }],
      },
    );
    await collect(provider(kind, server).stream(request({ tools, messages: [...history] })));
    history.push({ role: "assistant", parts: [{ type: "text", text: "ok" }] }, user("two"));
    await collect(provider(kind, server).stream(request({ tools, messages: [...history] })));

    const bodies = server.requests.map(({ body }) => body);

    expect(bodies).toHaveLength(3);
    for (const [index, body] of bodies.entries())
      if (index > 0) expect(body).toStartWith(bodies[index - 1]?.slice(0, -2) ?? "");
    expect(JSON.parse(bodies[1] ?? "").messages[2].tool_calls[0].function.arguments).toBe(input);
  });

  test(`createOpenaiProvider(${kind}) sends settings before messages, in stable order`, async () => {
    await using server = await startRecordingModelServer();
    const settings: ModelSettings = {
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 77,
      stopSequences: ["END"],
      toolChoice: { name: "a" },
    };
    const tools = [{ name: "a", description: "A", inputSchema: { type: "object" } }];
    const reversed: ModelSettings = Object.fromEntries(Object.entries(settings).toReversed());
    for (const given of [settings, reversed])
      await collect(provider(kind, server).stream(request({ tools, settings: given })));

    const [first, second] = server.requests.map(({ body }) => body);

    expect(JSON.parse(first ?? "")).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 77,
      stop: ["END"],
      tool_choice: { type: "function", function: { name: "a" } },
    });
    expect(first).toMatch(/"messages":\[[^]*\]}$/);
    expect(second).toBe(first);
  });

  test(`createOpenaiProvider(${kind}) sends tools that may not be called`, async () => {
    await using server = await startRecordingModelServer();
    const tools = [{ name: "a", description: "A", inputSchema: { type: "object" } }];

    await collect(provider(kind, server).stream(request({ tools, settings: { toolChoice: "none" } })));

    expect(JSON.parse(server.requests[0]?.body ?? "")).toMatchObject({
      tool_choice: "none",
      tools: [{ function: { name: "a" } }],
    });
  });

  test(`createOpenaiProvider(${kind}) observes exactly the body that the server receives`, async () => {
    await using server = await startRecordingModelServer();
    const seen: WireRequest[] = [];

    await collect(provider(kind, server).stream(request({ observe: (wire) => void seen.push(wire) })));

    expect(seen.map(({ body }) => body)).toEqual(server.requests.map(({ body }) => body));
  });

  test(`createOpenaiProvider(${kind}) returns tool calls as the model wrote them`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "tool-calls", calls: [{ id: "t1", name: "a", arguments: '{ "x": 1 }' }] });

    const events = await collect(
      provider(kind, server).stream(
        request({ tools: [{ name: "a", description: "A", inputSchema: { type: "object" } }] }),
      ),
    );

    expect(events).toContainEqual({ type: "tool-call", toolCallId: "t1", name: "a", input: '{ "x": 1 }' });
    expect(events.at(-1)).toMatchObject({ type: "finish", finishReason: "tool-calls" });
  });

  test(`createOpenaiProvider(${kind}) separates reasoning from text and never sends it back`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "text", chunks: ["Hi"], reasoning: "Hm" });
    const thought: ModelMessage = {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm" },
        { type: "text", text: "Hi" },
      ],
    };

    const events = await collect(provider(kind, server).stream(request()));
    await collect(provider(kind, server).stream(request({ messages: [user("one"), thought, user("two")] })));

    const reasoning = events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : []));
    expect(reasoning).toEqual(kind === "openai" ? [] : ["Hm"]); // OpenAI's chat API has no reasoning.
    expect(server.requests[1]?.body).not.toContain("Hm");
    expect(server.requests[1]?.body).toStartWith(server.requests[0]?.body.slice(0, -2) ?? "");
  });

  test(`createOpenaiProvider(${kind}) yields each event without waiting for the next`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "text", chunks: ["a", "b"], gate: true });
    const seen: string[] = [];

    for await (const event of provider(kind, server).stream(request())) {
      if (event.type === "text-delta") seen.push(event.text);
      if (event.type !== "text-start") for (let left = 0; left < 4; left += 1) server.release();
      else expect(server.requests[0]?.endedAtMs).toBeUndefined(); // The server holds the rest until this one arrived.
    }

    expect(seen).toEqual(["a", "b"]);
  });

  test(`createOpenaiProvider(${kind}) encodes an extended conversation like a complete one`, async () => {
    await using server = await startRecordingModelServer();
    const kept = provider(kind, server);
    const history = [
      user("one"),
      assistant("x", "{}"),
      result("x"),
      user("two"),
      assistant("y", '{"a": 1}'),
      result("y"),
    ];

    for (let length = 1; length <= history.length; length += 1) {
      const messages = history.slice(0, length);
      await collect(kept.stream(request({ messages })));
      await collect(provider(kind, server).stream(request({ messages })));
    }

    const bodies = server.requests.map(({ body }) => body);
    for (let index = 0; index < bodies.length; index += 2) expect(bodies[index]).toBe(bodies[index + 1] ?? "");
  });

  test(`createOpenaiProvider(${kind}) reports an error event, retryable when nothing was shown`, async () => {
    await using server = await startRecordingModelServer();
    const error = { message: `busy ${key}`, code: 429 };
    server.enqueue({ kind: "error-event", chunks: [], error }, { kind: "error-event", chunks: ["Hel"], error });

    const before = await collect(provider(kind, server).stream(request()));
    const after = await collect(provider(kind, server).stream(request()));

    expect(before).toMatchObject([{ type: "failure", error: { code: "RATE_LIMITED", isRetryable: true } }]);
    expect(after.at(-1)).toMatchObject({ type: "failure", error: { code: "RATE_LIMITED", isRetryable: false } });
    expect(JSON.stringify([before, after])).toContain("busy [key]");
  });

  test(`createOpenaiProvider(${kind}) ends with CUT_OFF for a broken connection, without partial tool calls`, async () => {
    await using server = await startRecordingModelServer();
    const calls = [{ id: "t1", name: "a", arguments: '{"x":' }];
    server.enqueue({ kind: "text", chunks: ["a", "b"], gate: true }, { kind: "tool-calls", calls, isCut: true });
    const tools = [{ name: "a", description: "A", inputSchema: { type: "object" } }];
    const broken: ModelEvent[] = [];

    for await (const event of provider(kind, server).stream(request())) {
      broken.push(event);
      if (event.type === "text-delta") await server.cutConnections();
    }
    const half = await collect(provider(kind, server).stream(request({ tools })));

    expect(broken.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF", isRetryable: false } });
    expect(half.map(({ type }) => type)).toEqual(["tool-call-start", "failure"]);
    expect(half.at(-1)).toMatchObject({ error: { code: "CUT_OFF" } });
  });

  test(`createOpenaiProvider(${kind}) ends with BAD_RESPONSE for an HTML page`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "error", status: 200, body: "<html>", headers: { "content-type": "text/html" } });

    const events = await collect(provider(kind, server).stream(request()));

    expect(events).toMatchObject([{ type: "failure", error: { code: "BAD_RESPONSE", isRetryable: false } }]);
    expect(JSON.stringify(events)).toContain("check base_url");
  });

  test(`createOpenaiProvider(${kind}) ends with CUT_OFF for a truncated stream, also with an HTML content type`, async () => {
    await using server = await startRecordingModelServer();
    const body = delta({ content: "Hel" });
    server.enqueue({ kind: "error", status: 200, body, headers: { "content-type": "text/html" } });

    const events = await collect(provider(kind, server).stream(request()));

    expect(events.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF", isRetryable: false } });
  });

  test(`createOpenaiProvider(${kind}) sends nothing when recording fails and reports why`, async () => {
    await using server = await startRecordingModelServer();
    const full = new ServiceError("INTERNAL", "The disk is full");
    const refuse = (error: Error) => request({ observe: () => Promise.reject(error) });

    const known = await collect(provider(kind, server).stream(refuse(full)));
    const other = await collect(provider(kind, server).stream(refuse(new Error("no space"))));

    expect(known).toMatchObject([{ type: "failure", error: { code: "INTERNAL", message: "The disk is full" } }]);
    expect(other).toMatchObject([{ type: "failure", error: { code: "FAILED", isRetryable: false } }]);
    expect(server.requests).toEqual([]);
  });

  test(`createOpenaiProvider(${kind}) sends nothing for an aborted request`, async () => {
    await using server = await startRecordingModelServer();

    const events = await collect(provider(kind, server).stream(request({ signal: AbortSignal.abort() })));

    expect(events).toMatchObject([{ type: "failure", error: { message: "The call was stopped" } }]);
  });

  const answers = [
    [401, {}, "UNAUTHORIZED", false],
    [429, { "retry-after": "2" }, "RATE_LIMITED", true],
    [500, {}, "VENDOR_FAILED", true],
    [503, {}, "OVERLOADED", true],
    [404, {}, "BAD_REQUEST", false],
    [302, { location: "file:///etc/passwd" }, "BAD_RESPONSE", false],
  ] as const;
  for (const [status, headers, code, isRetryable] of answers) {
    test(`createOpenaiProvider(${kind}) ends with ${code} for ${status}, without the key`, async () => {
      await using server = await startRecordingModelServer();
      server.enqueue({
        kind: "error",
        status,
        headers,
        body: JSON.stringify({ error: { message: `no: ${key}`, type: "t", code: null } }),
      });

      const events = await collect(provider(kind, server).stream(request()));

      expect(events).toMatchObject([
        { type: "failure", error: { code, isRetryable, ...(status === 429 ? { retryAfterMs: 2_000 } : {}) } },
      ]);
      expect(JSON.stringify(events)).not.toContain(key);
    });
  }

  test(`createOpenaiProvider(${kind}) ends with one failure for broken JSON, a cut connection and a closed port`, async () => {
    const server = await startRecordingModelServer();
    server.enqueue({ kind: "broken-json" }, { kind: "cut", chunks: ["Hel"] });

    const broken = await collect(provider(kind, server).stream(request()));
    const cut = await collect(provider(kind, server).stream(request()));
    await server[Symbol.asyncDispose]();
    const closed = await collect(provider(kind, server).stream(request()));

    expect(broken.at(-1)).toMatchObject({ type: "failure", error: { code: "BAD_RESPONSE", isRetryable: false } });
    expect(cut.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF", isRetryable: false } });
    expect(closed).toMatchObject([{ type: "failure", error: { code: "UNREACHABLE", isRetryable: true } }]);
    for (const events of [broken, cut])
      expect(events.filter((event) => event.type === "failure" || event.type === "finish")).toHaveLength(1);
  });

  test(`createOpenaiProvider(${kind}) closes the connection on abort and ends once`, async () => {
    await using server = await startRecordingModelServer();
    server.enqueue({ kind: "text", chunks: ["a", "b", "c"], gate: true });
    const stop = new AbortController();
    const events: ModelEvent[] = [];

    for await (const event of provider(kind, server).stream(request({ signal: stop.signal }))) {
      events.push(event);
      if (event.type === "text-delta") stop.abort();
    }
    server.release();
    await server.waitFor(({ requests }) => requests[0]?.isAborted === true);

    expect(events.filter((event) => event.type === "failure" || event.type === "finish")).toHaveLength(1);
  });
}

function flood(
  contentType: string,
  head: string,
  piece: string,
  status = 200,
  megabytes = 100,
): Bun.Server<undefined> & { sentBytes: () => number } {
  let sentBytes = 0;
  const bytes = new TextEncoder().encode(piece);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
          pull(controller) {
            sentBytes += bytes.byteLength;
            if (sentBytes > megabytes * 1_048_576) controller.close();
            else controller.enqueue(bytes);
          },
        }),
        { status, headers: { "content-type": contentType } },
      ),
  });
  return Object.assign(server, { sentBytes: () => sentBytes });
}

const piece = "x".repeat(65_536);
const delta = (value: object): string =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: value }] })}\n\n`;
const toolCall = (value: object): string => delta({ tool_calls: [{ index: 0, ...value }] });

async function checkIsBrokenOff(server: ReturnType<typeof flood>): Promise<void> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();

  const events = await collect(
    provider("openai-compatible", { url: `http://127.0.0.1:${server.port}/v1` }).stream(request()),
  );

  expect(events.at(-1)).toMatchObject({
    type: "failure",
    error: { code: "REPLY_TOO_LARGE", isRetryable: false },
  });
  expect(events.filter(({ type }) => type === "tool-call")).toEqual([]);
  expect(server.sentBytes()).toBeLessThan(64 * 1_048_576);
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1_048_576);
}

for (const [name, contentType, opening, more] of [
  ["one line", "text/event-stream", 'data: {"choices":[{"delta":{"content":"', piece],
  [
    "one call's arguments",
    "text/event-stream",
    toolCall({ id: "1", type: "function", function: { name: "a", arguments: "{" } }),
    toolCall({ function: { arguments: piece } }),
  ],
  ["a page", "text/html", "<p>", `${piece}\n`],
] as const) {
  test(`createOpenaiProvider aborts a reply that has 100 MB in ${name} with REPLY_TOO_LARGE`, async () => {
    using server = flood(contentType, opening, more);
    await checkIsBrokenOff(server);
  });
}

test("[attack:vendor-event-without-end] createOpenaiProvider aborts an event of 100 MB in short lines", async () => {
  using server = flood("text/event-stream", "", `data: ${piece}\n`);
  await checkIsBrokenOff(server);

  // Complete events of the same size are read to the end of the stream.
  using control = flood("text/event-stream", "", `${delta({})}: ${piece}\r\n\r\n`);
  const events = await collect(
    provider("openai-compatible", { url: `http://127.0.0.1:${control.port}/v1` }).stream(request()),
  );
  expect(events.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF" } });
  expect(control.sentBytes()).toBeGreaterThan(100 * 1_048_576);
});

test("[attack:vendor-wide-event] createOpenaiProvider aborts an event of millions of values before parsing", async () => {
  const wide = `[${"{},".repeat(3_000_000)}{}]`;
  const end = `${delta({})}data: [DONE]\n\n`;
  const lastOf = async (text: string): Promise<unknown> => {
    const answer = new Response(text, { headers: { "content-type": "text/event-stream" } });
    const endpoint = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } as const;
    const net: Net = {
      webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
      fetch: async () => answer,
    };
    return (await collect(createOpenaiProvider({ id: "local", endpoint, net, env }).stream(request()))).at(-1);
  };

  const tooLarge = { type: "failure", error: { code: "REPLY_TOO_LARGE", isRetryable: false } };
  expect(await lastOf(`data: {"choices":${wide}}\n\n${end}`)).toMatchObject(tooLarge);
  // The same bytes as one string are a single value, and accepted.
  expect(await lastOf(`${delta({ content: wide.slice(0, 5_000_000) })}${end}`)).not.toMatchObject(tooLarge);
});

test("[attack:vendor-refusal-without-end] createOpenaiProvider aborts a streaming refusal of 100 MB", async () => {
  using server = flood("text/event-stream", "", `data: ${piece}\n\n`, 500);
  await checkIsBrokenOff(server);

  // The same is accepted as a reply, of which nothing is retained.
  using control = flood("text/event-stream", "", `${delta({})}: ${piece}\n\n`);
  await collect(provider("openai-compatible", { url: `http://127.0.0.1:${control.port}/v1` }).stream(request()));
  expect(control.sentBytes()).toBeGreaterThan(100 * 1_048_576);
});

test("[attack:bounds-vendor-nameless-call] createOpenaiProvider aborts endless arguments of a call without a name", async () => {
  const nameless = toolCall({ function: { arguments: "x".repeat(1_048_576) } });
  using server = flood("text/event-stream", "", nameless, 200, 400);
  using small = flood("text/event-stream", "", nameless, 200, 2);
  const told = async ({ port }: { readonly port?: number | undefined }): Promise<ModelEvent | undefined> =>
    (await collect(provider("openai-compatible", { url: `http://127.0.0.1:${port}/v1` }).stream(request()))).at(-1);

  expect(await told(server)).toMatchObject({ type: "failure", error: { code: "REPLY_TOO_LARGE" } });
  expect(server.sentBytes()).toBeLessThan(300 * 1_048_576);
  expect(await told(small)).toMatchObject({ type: "failure", error: { code: "BAD_RESPONSE" } });
}, 300_000);

test("createOpenaiProvider names the missing variable and sends nothing", async () => {
  await using server = await startRecordingModelServer();
  const chat = createOpenaiProvider({
    id: "local",
    endpoint: { kind: "openai", baseUrl: server.url, apiKeyEnv: "UNSET" },
    net,
    env,
  });

  const events = await collect(chat.stream(request()));

  expect(chat.problem).toContain("UNSET");
  expect(events).toMatchObject([
    { type: "failure", error: { code: "NOT_CONFIGURED", message: expect.stringContaining("UNSET") } },
  ]);
  expect(server.requests).toEqual([]);
});

test("createOpenaiProvider forwards host errors unchanged", async () => {
  const refusing: Net = {
    webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
    fetch: () => Promise.reject(new KernelError("CAPABILITY_DENIED", "Cannot fetch")),
  };
  const chat = createOpenaiProvider({
    id: "local",
    endpoint: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" },
    net: refusing,
    env,
  });

  const events = await collect(chat.stream(request()));

  expect(events).toMatchObject([{ type: "failure", error: { code: "CAPABILITY_DENIED", isRetryable: false } }]);
});

test("createOpenaiProvider sends system messages to reasoning models, too", async () => {
  await using server = await startRecordingModelServer();
  for (const model of ["o3", "gpt-5.2"]) await collect(provider("openai", server).stream(request({ model })));

  for (const { body } of server.requests)
    expect(JSON.parse(body).messages[0]).toEqual({ role: "system", content: "Be brief." });
});

test("createOpenaiProvider sorts tools by name", async () => {
  await using server = await startRecordingModelServer();
  const tools = ["b", "a"].map((name) => ({ name, description: "", inputSchema: { type: "object" } }));

  await collect(provider("openai", server).stream(request({ tools })));

  const sent = JSON.parse(server.requests[0]?.body ?? "").tools;
  expect(sent.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(["a", "b"]);
});

test("createOpenaiProvider reads the key anew for each call, also for concurrent ones", async () => {
  await using server = await startRecordingModelServer();
  const keys = ["first", "second", "third"];
  const rotating: Environment = { get: () => keys.shift() };
  const endpoint: ConfiguredEndpoint = { kind: "openai", baseUrl: server.url, apiKeyEnv: "K" };
  const chat = createOpenaiProvider({ id: "a", endpoint, net, env: rotating });

  await collect(chat.stream(request()));
  await Promise.all([collect(chat.stream(request())), collect(chat.stream(request()))]);

  const sent = server.requests.map(({ headers }) => headers["authorization"]);
  expect(new Set(sent)).toEqual(new Set(["Bearer first", "Bearer second", "Bearer third"]));
  expect(sent).toHaveLength(3);
});

test("createOpenaiProvider omits authorization without a variable, and trims the key", async () => {
  await using server = await startRecordingModelServer();
  const open = { kind: "openai-compatible", baseUrl: server.url } as const;
  const withLineBreak: Environment = { get: () => `${key}\n` };

  await collect(createOpenaiProvider({ id: "a", endpoint: open, net, env }).stream(request()));
  await collect(
    createOpenaiProvider({ id: "a", endpoint: { ...open, apiKeyEnv: "K" }, net, env: withLineBreak }).stream(
      request(),
    ),
  );

  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([undefined, `Bearer ${key}`]);
});

test("createOpenaiProvider reads Retry-After in seconds or as a date, and prefers retry-after-ms", async () => {
  await using server = await startRecordingModelServer();
  const answers: readonly Readonly<Record<string, string>>[] = [
    { "retry-after": "1.5" },
    { "retry-after": "9", "retry-after-ms": "20" },
    { "retry-after": "Wed, 21 Oct 2026 07:28:05 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" },
    { "retry-after": "soon" },
  ];
  const seen: unknown[] = [];

  for (const headers of answers) {
    server.enqueue({ kind: "error", status: 429, headers, body: "{}" });
    const [event] = await collect(provider("openai", server).stream(request()));
    seen.push(event?.type === "failure" ? event.error.retryAfterMs : event);
  }

  expect(seen).toEqual([1_500, 20, 5_000, undefined]);
});

test("createOpenaiProvider reports a problem instead of throwing when its variable is not granted", async () => {
  const denied: Environment = {
    get: () => {
      throw new KernelError("CAPABILITY_DENIED", 'Cannot read variable "K"');
    },
  };
  const chat = createOpenaiProvider({
    id: "a",
    endpoint: { kind: "openai", api: "chat", apiKeyEnv: "K" },
    net,
    env: denied,
  });

  expect(chat.problem).toBe('Cannot read variable "K"');
  expect(await collect(chat.stream(request()))).toMatchObject([
    { type: "failure", error: { code: "NOT_CONFIGURED" } },
  ]);
});

test("createOpenaiProvider closes the connection when aborted while waiting for a response", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "never" });
  const stop = new AbortController();

  const events = collect(provider("openai", server).stream(request({ signal: stop.signal })));
  await server.waitForRequests(1);
  stop.abort();

  expect(await events).toMatchObject([{ type: "failure", error: { message: "The call was stopped" } }]);
  await server.waitFor(({ requests }) => requests[0]?.isAborted === true);
});

test("createOpenaiProvider closes the connection when its reader stops", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "text", chunks: ["a", "b", "c"], gate: true });

  for await (const event of provider("openai", server).stream(request())) if (event.type === "text-delta") break;
  server.release();

  await server.waitFor(({ requests }) => requests[0]?.isAborted === true);
});

test("createOpenaiProvider ends with retryable UNREACHABLE when the connection breaks before a response", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "never" });

  const events = collect(provider("openai", server).stream(request()));
  await server.waitForRequests(1);
  await server.cutConnections();

  expect(await events).toMatchObject([{ type: "failure", error: { code: "UNREACHABLE", isRetryable: true } }]);
});
