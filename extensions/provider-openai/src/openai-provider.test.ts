import { KernelError, type Environment, type Net } from "@incipit/kernel";
import { ServiceError, type ModelEvent, type ModelProvider, type ModelRequest } from "@incipit/service-contract";
import { modelRequest, socketNet, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createOpenaiProvider } from "./openai-provider.ts";
import { openaiAt, testKey as key } from "./testing/openai-at.ts";

// What holds for every provider is in conformance.test.ts, and what the vendor's packages send in package-*.test.ts.

const compatible = { kind: "openai-compatible" } as const;

function provider({ url }: Pick<RecordingModelServer, "url">): ModelProvider {
  return openaiAt(url, compatible);
}

function ask(from: ModelProvider, options: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  return Array.fromAsync(from.stream(modelRequest(options)));
}

test("createOpenaiProvider reports an error event, retryable when nothing was shown", async () => {
  await using server = await startRecordingModelServer();
  const error = { message: `busy ${key}`, code: 429 };
  server.enqueue({ kind: "error-event", chunks: [], error }, { kind: "error-event", chunks: ["Hel"], error });

  const before = await ask(provider(server));
  const after = await ask(provider(server));

  expect(before).toMatchObject([{ type: "failure", error: { code: "RATE_LIMITED", isRetryable: true } }]);
  expect(after.at(-1)).toMatchObject({ type: "failure", error: { code: "RATE_LIMITED", isRetryable: false } });
  expect(JSON.stringify([before, after])).toContain("busy [key]");
});

test("createOpenaiProvider ends with BAD_RESPONSE for an HTML page", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "error", status: 200, body: "<html>", headers: { "content-type": "text/html" } });

  const events = await ask(provider(server));

  expect(events).toMatchObject([{ type: "failure", error: { code: "BAD_RESPONSE", isRetryable: false } }]);
  expect(JSON.stringify(events)).toContain("check base_url");
});

test("createOpenaiProvider ends with CUT_OFF for a truncated stream, also with an HTML content type", async () => {
  await using server = await startRecordingModelServer();
  const body = delta({ content: "Hel" });
  server.enqueue({ kind: "error", status: 200, body, headers: { "content-type": "text/html" } });

  const events = await ask(provider(server));

  expect(events.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF", isRetryable: false } });
});

test("createOpenaiProvider sends nothing when recording fails and reports why", async () => {
  await using server = await startRecordingModelServer();
  const full = new ServiceError("INTERNAL", "The disk is full");

  const known = await ask(provider(server), { observe: () => Promise.reject(full) });
  const other = await ask(provider(server), { observe: () => Promise.reject(new Error("no space")) });

  expect(known).toMatchObject([{ type: "failure", error: { code: "INTERNAL", message: "The disk is full" } }]);
  expect(other).toMatchObject([{ type: "failure", error: { code: "FAILED", isRetryable: false } }]);
  expect(server.requests).toEqual([]);
});

test("createOpenaiProvider ends with one failure for broken JSON, a cut connection and a closed port", async () => {
  const server = await startRecordingModelServer();
  server.enqueue({ kind: "broken-json" }, { kind: "cut", chunks: ["Hel"] });

  const broken = await ask(provider(server));
  const cut = await ask(provider(server));
  await server[Symbol.asyncDispose]();
  const closed = await ask(provider(server));

  expect(broken.at(-1)).toMatchObject({ type: "failure", error: { code: "BAD_RESPONSE", isRetryable: false } });
  expect(cut.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF", isRetryable: false } });
  expect(closed).toMatchObject([{ type: "failure", error: { code: "UNREACHABLE", isRetryable: true } }]);
  for (const events of [broken, cut])
    expect(events.filter((event) => event.type === "failure" || event.type === "finish")).toHaveLength(1);
});

test("createOpenaiProvider closes the connection on abort and ends once", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "text", chunks: ["a", "b", "c"], gate: true });
  const stop = new AbortController();
  const events: ModelEvent[] = [];

  for await (const event of provider(server).stream(modelRequest({ signal: stop.signal }))) {
    events.push(event);
    if (event.type === "text-delta") stop.abort();
  }
  server.release();
  await server.waitFor(({ requests }) => requests[0]?.isAborted === true);

  expect(events.filter((event) => event.type === "failure" || event.type === "finish")).toHaveLength(1);
});

function flood(
  contentType: string,
  head: string,
  piece: string,
  status = 200,
  megabytes = 100,
): Bun.Server<undefined> & { readonly provider: ModelProvider; readonly sentBytes: () => number } {
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
  const url = `http://127.0.0.1:${server.port}/v1`;
  return Object.assign(server, { provider: provider({ url }), sentBytes: () => sentBytes });
}

const piece = "x".repeat(65_536);
const delta = (value: object): string =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: value }] })}\n\n`;
const toolCall = (value: object): string => delta({ tool_calls: [{ index: 0, ...value }] });

async function checkIsBrokenOff(server: ReturnType<typeof flood>): Promise<void> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();

  const events = await ask(server.provider);

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
  const events = await ask(control.provider);
  expect(events.at(-1)).toMatchObject({ type: "failure", error: { code: "CUT_OFF" } });
  expect(control.sentBytes()).toBeGreaterThan(100 * 1_048_576);
});

test("[attack:vendor-wide-event] createOpenaiProvider aborts an event of millions of values before parsing", async () => {
  const wide = `[${"{},".repeat(3_000_000)}{}]`;
  const end = `${delta({})}data: [DONE]\n\n`;
  const lastOf = async (text: string): Promise<unknown> => {
    const answer = new Response(text, { headers: { "content-type": "text/event-stream" } });
    const endpoint = { ...compatible, baseUrl: "http://127.0.0.1:1/v1" };
    const net: Net = { ...socketNet, fetch: async () => answer };
    const env: Environment = { get: () => undefined };
    return (await ask(createOpenaiProvider({ id: "local", endpoint, net, env }))).at(-1);
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
  await ask(control.provider);
  expect(control.sentBytes()).toBeGreaterThan(100 * 1_048_576);
});

test("[attack:bounds-vendor-nameless-call] createOpenaiProvider aborts endless arguments of a call without a name", async () => {
  const nameless = toolCall({ function: { arguments: "x".repeat(1_048_576) } });
  using server = flood("text/event-stream", "", nameless, 200, 400);
  using small = flood("text/event-stream", "", nameless, 200, 2);

  expect((await ask(server.provider)).at(-1)).toMatchObject({ error: { code: "REPLY_TOO_LARGE" } });
  expect(server.sentBytes()).toBeLessThan(300 * 1_048_576);
  expect((await ask(small.provider)).at(-1)).toMatchObject({ error: { code: "BAD_RESPONSE" } });
}, 300_000);

test("createOpenaiProvider reads the key anew for each call, also for concurrent ones", async () => {
  await using server = await startRecordingModelServer();
  const keys = ["first", "second", "third"];
  const chat = openaiAt(server.url, { ...compatible, env: { get: () => keys.shift() } });

  await ask(chat);
  await Promise.all([ask(chat), ask(chat)]);

  const sent = server.requests.map(({ headers }) => headers["authorization"]);
  expect(new Set(sent)).toEqual(new Set(["Bearer first", "Bearer second", "Bearer third"]));
  expect(sent).toHaveLength(3);
});

test("createOpenaiProvider omits authorization without a variable, and trims the key", async () => {
  await using server = await startRecordingModelServer();

  await ask(openaiAt(server.url, { ...compatible, apiKeyEnv: undefined }));
  await ask(openaiAt(server.url, { ...compatible, env: { get: () => `${key}\n` } }));

  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([undefined, `Bearer ${key}`]);
});

test("createOpenaiProvider reports a problem instead of throwing when its variable is not granted", async () => {
  const denied: Environment = {
    get: () => {
      throw new KernelError("CAPABILITY_DENIED", 'Cannot read variable "K"');
    },
  };
  const chat = openaiAt("http://127.0.0.1:1/v1", { ...compatible, env: denied });

  expect(chat.problem).toBe('Cannot read variable "K"');
  expect(await ask(chat)).toMatchObject([{ type: "failure", error: { code: "NOT_CONFIGURED" } }]);
});

test("createOpenaiProvider ends with retryable UNREACHABLE when the connection breaks before a response", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "never" });

  const events = ask(provider(server));
  await server.waitForRequests(1);
  await server.cutConnections();

  expect(await events).toMatchObject([{ type: "failure", error: { code: "UNREACHABLE", isRetryable: true } }]);
});
