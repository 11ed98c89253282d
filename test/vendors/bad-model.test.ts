import type { TurnEvent } from "@incipit/schema";
import { chatRequestProblems, createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import { HostProcess } from "../support/host-process.ts";
import { RawModelServer, type RawReply } from "../support/raw-model-server.ts";
import { prefixOf } from "../support/request-body.ts";

const mebibyte = 1_048_576;
const end = `${event({}, "stop")}data: [DONE]\n\n`;

function event(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

function calls(ids: readonly string[], input: string): string {
  const tools = ids.map((id, index) => ({
    index,
    id,
    type: "function",
    function: { name: "nobody", arguments: input },
  }));
  return event({ role: "assistant", tool_calls: tools }) + event({}, "tool_calls");
}

interface Head {
  readonly status?: string;
  readonly type?: string;
  readonly headers?: string;
}

function* answer(
  body: RawReply,
  { status = "200 OK", type = "text/event-stream", headers = "" }: Head = {},
): RawReply {
  yield `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\nconnection: close\r\n${headers}\r\n`;
  yield* body;
}

function* repeat(chunk: string | Uint8Array, count: number): RawReply {
  for (let index = 0; index < count; index += 1) yield chunk;
}

/** A kibibyte expands to a MiB of zeros. */
function* gzipOfZeros(count: number): RawReply {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
  yield* repeat(deflateRawSync(Buffer.alloc(mebibyte), { finishFlush: constants.Z_FULL_FLUSH }), count);
}

const emptyDelta = event({ content: "" });
const page = "<!doctype html><title>Sign in</title>";

interface BadReply {
  readonly reply: () => RawReply;
  readonly code?: string;
  readonly fact?: string;
}

/** Large replies run one by one with memory checks. */
const large: Readonly<Record<string, BadReply>> = {
  "1 GB in one delta": {
    reply: () =>
      answer(
        chain(['data: {"id":"c","choices":[{"index":0,"delta":{"content":"'], repeat("x".repeat(mebibyte), 1_024)),
      ),
    code: "REPLY_TOO_LARGE",
  },
  "100 MB in small deltas": {
    reply: () => answer(repeat(event({ content: "x".repeat(1_000) }).repeat(100), 1_000)),
    code: "REPLY_TOO_LARGE",
    fact: "8 MiB",
  },
  "a million empty deltas": {
    reply: () => answer(chain(repeat(emptyDelta.repeat(1_000), 1_000), [end])),
    code: "REPLY_TOO_LARGE",
  },
  "1 GB of a page": {
    reply: () => answer(repeat(Buffer.alloc(mebibyte), 1_024), { type: "text/html" }),
    code: "REPLY_TOO_LARGE",
  },
  "1 GB of an error": {
    reply: () => answer(repeat(Buffer.alloc(mebibyte), 1_024), { status: "400 Bad Request" }),
    code: "REPLY_TOO_LARGE",
  },
  "1 GB that was packed with gzip": {
    reply: () => answer(gzipOfZeros(1_024), { headers: "content-encoding: gzip\r\n" }),
    code: "REPLY_TOO_LARGE",
  },
  "an error of 1 GB that was packed with gzip": {
    reply: () => answer(gzipOfZeros(1_024), { status: "400 Bad Request", headers: "content-encoding: gzip\r\n" }),
    code: "REPLY_TOO_LARGE",
  },
};

function* chain(...replies: readonly RawReply[]): RawReply {
  for (const reply of replies) yield* reply;
}

/** Small replies run in parallel, since retries take seconds. */
const small: Readonly<Record<string, BadReply>> = {
  "tool calls with broken JSON": { reply: () => answer([calls(["a"], '{"path'), "data: [DONE]\n\n"]) },
  "two calls with one id": { reply: () => answer([calls(["a", "a"], "{}"), "data: [DONE]\n\n"]) },
  "calls without an id": { reply: () => answer([calls([""], "{}"), "data: [DONE]\n\n"]) },
  "half a surrogate pair": { reply: () => answer([event({ content: "a\ud83d" }), end]) },
  "a finish without content": { reply: () => answer([end]), code: "EMPTY_REPLY", fact: "empty reply" },
  "an end without a finish": { reply: () => answer(["data: [DONE]\n\n"]), code: "CUT_OFF" },
  "nothing in a stream": { reply: () => answer([]), code: "CUT_OFF" },
  "bytes that are no stream": {
    reply: () => answer([Buffer.from(Array.from({ length: 65_536 }, (_, index) => index * 7_919))]),
    code: "CUT_OFF",
  },
  "what is no HTTP": { reply: () => ["SSH-2.0-OpenSSH_9.6\r\n"], code: "UNREACHABLE" },
  "no answer": { reply: () => [], code: "UNREACHABLE" },
  "an HTML page": { reply: () => answer([page], { type: "text/html" }), code: "BAD_RESPONSE", fact: '"text/html"' },
  "no content": {
    reply: () => ["HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"],
    code: "BAD_RESPONSE",
    fact: "204",
  },
  "a redirect to a file": {
    reply: () =>
      answer([], { status: "302 Found", headers: "location: file:///etc/passwd\r\ncontent-length: 0\r\n" }),
    code: "BAD_RESPONSE",
    fact: "redirects are not followed",
  },
  "a redirect to this machine": {
    reply: () =>
      answer([], { status: "307 Temporary Redirect", headers: `location: /elsewhere\r\ncontent-length: 0\r\n` }),
    code: "BAD_RESPONSE",
    fact: "redirects are not followed",
  },
  "more than its content-length": {
    reply: () =>
      answer([event({ content: "a" }), end], { headers: `content-length: ${event({ content: "a" }).length}\r\n` }),
    code: "CUT_OFF",
  },
  "less than its content-length": {
    reply: () => answer([event({ content: "a" })], { headers: "content-length: 100000\r\n" }),
    code: "CUT_OFF",
  },
  "a negative content-length": {
    reply: () => answer([event({ content: "a" }), end], { headers: "content-length: -5\r\n" }),
    code: "UNREACHABLE",
  },
  "what is not packed as it says": {
    reply: () => answer([event({ content: "a" }), end], { headers: "content-encoding: gzip\r\n" }),
    code: "BAD_RESPONSE",
  },
  "headers that never end": {
    reply: () => chain(["HTTP/1.1 200 OK\r\n"], repeat(`x-header: ${"v".repeat(1_000)}\r\n`.repeat(1_000), 300)),
    code: "UNREACHABLE",
  },
  "a header that never ends": {
    reply: () => chain(["HTTP/1.1 200 OK\r\nx-header: "], repeat("v".repeat(mebibyte), 300)),
    code: "UNREACHABLE",
  },
};

const replies = new Map(Object.entries({ ...large, ...small }));
const scope = new AsyncDisposableStack();
let model: RawModelServer;
let host: HostProcess;

beforeAll(async () => {
  const folder = scope.use(await createTempFolder());
  model = scope.use(
    await RawModelServer.start((body) => {
      const [, said = ""] = /"content":"([^"]*)"\}\]\}$/.exec(body) ?? [];
      return replies.get(said)?.reply() ?? answer([event({ role: "assistant", content: "Good" }), end]);
    }),
  );
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  host = scope.use(await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path }));
});

afterAll(() => scope.disposeAsync());

async function takeBadReply(name: string, { code, fact = "" }: BadReply): Promise<void> {
  const { id } = await host.createConversation();
  await host.turn(id, { input: `before ${name}` });
  const events = await host.turn(id, { input: name });
  const next = await host.turn(id, { input: `after ${name}` });

  const turnEnd: TurnEvent | undefined = events.at(-1);
  const failure = { type: "turn-end", status: "failed", error: { code, message: expect.stringContaining(fact) } };
  const said = code === undefined ? { type: "turn-end", status: "completed" } : failure;
  expect({ name, turnEnd }).toMatchObject({ name, turnEnd: said });
  expect(events.filter(({ type }) => type === "turn-end")).toHaveLength(1);
  expect({ name, turnEnd: next.at(-1) }).toMatchObject({
    name,
    turnEnd: { type: "turn-end", status: "completed" },
  });
  await expectValidRequests(id);
}

async function expectValidRequests(id: string): Promise<void> {
  const client = createClient({ url: host.url, token: host.token });
  const { steps } = await client.call(routes.listSteps, { params: { id }, query: { limit: 1_000 } });
  const bodies: string[] = [];
  for (const step of steps) {
    const { body } = await client.call(routes.getStepRequest, { params: { id, stepId: step.id } });
    bodies.push(body);
  }
  expect(bodies.flatMap((body) => chatRequestProblems(body))).toEqual([]);
  for (const [index, body] of bodies.entries())
    if (index > 0) expect(body).toStartWith(prefixOf(bodies[index - 1] ?? ""));
}

async function memory(): Promise<number> {
  const status = await Bun.file(`/proc/${host.pid}/status`)
    .text()
    .catch(() => "");
  return 1_024 * Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
}

for (const [name, bad] of Object.entries(large)) {
  test(`the host accepts ${name} from a model within bounded memory, and the conversation continues`, async () => {
    const before = await memory();
    let most = 0;
    const isOver = new AbortController();
    const watching = (async () => {
      while (!isOver.signal.aborted) {
        most = Math.max(most, await memory());
        // Polls continuously: the reply must not block other requests.
        expect((await host.fetch("/health")).status).toBe(200);
      }
    })();
    await takeBadReply(name, bad).finally(() => isOver.abort());
    await watching;

    expect(most - before).toBeLessThan(300 * mebibyte);
  }, 300_000);
}

test("the host ends the turn of any other reply with a clear code and continues", async () => {
  await Promise.all(Object.entries(small).map(([name, bad]) => takeBadReply(name, bad)));

  expect(await host.json("/health")).toMatchObject({ status: "ok" });
}, 300_000);
