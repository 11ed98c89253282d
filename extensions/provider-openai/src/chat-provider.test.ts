import { KernelError, type Environment, type Net, type WireRequest } from "@incipit/kernel";
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createChatProvider } from "./chat-provider.ts";
import type { Endpoint } from "./settings.ts";

const kinds = ["openai", "openai-compatible", "deepseek"] as const;
const key = "sk-test-0123456789";

/** A `net` without a grant or a record store: real sockets, and the observer is told as the host's driver tells it. */
const net: Net = {
  async fetch(url, { observe, ...init } = {}) {
    const body = init.body ?? "";
    await observe?.({ method: init.method ?? "GET", url, headers: {}, body, sha256: "", at: 0 });
    return fetch(url, { ...init, redirect: "manual" });
  },
};

const env: Environment = { get: (name) => (name === "TEST_KEY" ? key : undefined) };

function provider(kind: Endpoint["kind"], server: Pick<RecordingModelServer, "url">): ModelProvider {
  return createChatProvider({
    id: "local",
    endpoint: { kind, baseUrl: server.url, apiKeyEnv: "TEST_KEY" },
    net,
    env,
  });
}

function user(text: string): ModelMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

function request(options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "test-model",
    conversationId: "c",
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
  test(`createChatProvider(${kind}) streams text, and tells reported usage from what was not reported`, async () => {
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

  test(`createChatProvider(${kind}) sends the system texts first, each by itself, and none when there is none`, async () => {
    await using server = await startRecordingModelServer();
    await collect(provider(kind, server).stream(request({ systemPrompt: ["One.", "Two."] })));
    await collect(provider(kind, server).stream(request({ systemPrompt: [] })));

    const [two, none] = server.requests.map(({ body }) => JSON.parse(body));

    expect(
      two.messages
        .map((message: { role: string; content: unknown }) => [message.role, message.content])
        .slice(0, 2),
    ).toEqual([
      ["system", "One."],
      ["system", "Two."],
    ]);
    expect(none.messages.map((message: { role: string }) => message.role)).toEqual(["user"]);
    expect(server.requests[1]?.body).not.toContain("system");
  });

  test(`createChatProvider(${kind}) sends a request that is a byte prefix of the next, tool calls as the model wrote them`, async () => {
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

  test(`createChatProvider(${kind}) observes the very body that the server receives`, async () => {
    await using server = await startRecordingModelServer();
    const seen: WireRequest[] = [];

    await collect(provider(kind, server).stream(request({ observe: (wire) => void seen.push(wire) })));

    expect(seen.map(({ body }) => body)).toEqual(server.requests.map(({ body }) => body));
  });

  test(`createChatProvider(${kind}) gives tool calls as the model wrote them`, async () => {
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

  const answers = [
    [401, {}, "UNAUTHORIZED", false],
    [429, { "retry-after": "2" }, "RATE_LIMITED", true],
    [500, {}, "OVERLOADED", true],
    [503, {}, "OVERLOADED", true],
    [404, {}, "BAD_REQUEST", false],
  ] as const;
  for (const [status, headers, code, isRetryable] of answers) {
    test(`createChatProvider(${kind}) ends with ${code} for ${status}, without the key`, async () => {
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

  test(`createChatProvider(${kind}) ends with one failure for broken JSON, a cut connection and a closed port`, async () => {
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

  test(`createChatProvider(${kind}) closes the connection on abort, and ends once`, async () => {
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

test("createChatProvider says which variable to set, and calls nobody without it", async () => {
  await using server = await startRecordingModelServer();
  const chat = createChatProvider({
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

test("createChatProvider passes a refusal of the host on as what it is", async () => {
  const refusing: Net = { fetch: () => Promise.reject(new KernelError("CAPABILITY_DENIED", "Cannot fetch")) };
  const chat = createChatProvider({
    id: "local",
    endpoint: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" },
    net: refusing,
    env,
  });

  const events = await collect(chat.stream(request()));

  expect(events).toMatchObject([{ type: "failure", error: { code: "CAPABILITY_DENIED", isRetryable: false } }]);
});
