import { ApiClientError } from "@incipit/transport-contract/http";
import { expect, test } from "bun:test";
import { gzipSync } from "bun";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createClient, type IncipitClientOptions } from "./client.ts";
import type { Connection } from "./retry.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const base = { turnId: "01a1fcd7-5c9a-7556-afda-76769002c75d", at: "2026-01-01T00:00:00.000Z" };
const other = { turnId: "01a1fcd7-5c9a-7556-afda-76769002c75e", at: base.at };
const part = { ...base, stepId: base.turnId, partId: "0" };
const start = { type: "turn-start", seq: 1, ...base, input: "Hi" };
const one = { type: "text-delta", seq: 2, ...part, text: "one " };
const two = { type: "text-delta", seq: 3, ...part, text: "two" };
const end = { type: "turn-end", seq: 5, ...base, status: "completed" };

interface Asked {
  readonly call: string;
  readonly key: string | string[] | undefined;
  readonly lastEventId: string | string[] | undefined;
}

type Answer = (response: ServerResponse) => void;

async function startHost(
  answers: readonly Answer[],
): Promise<{ readonly asked: Asked[]; readonly url: string; cutOff(): void } & AsyncDisposable> {
  const asked: Asked[] = [];
  const left = [...answers];
  const server = createServer(({ method, url = "", headers }, response) => {
    const [key, lastEventId] = [headers["idempotency-key"], headers["last-event-id"]];
    asked.push({ call: `${method} ${url.replace(id, ":id")}`, key, lastEventId });
    (left.shift() ?? refused("INTERNAL", 500))(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    asked,
    url: `http://127.0.0.1:${port}`,
    cutOff: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const unanswered: Answer = (response) => void response.socket?.destroy();

function text(body: string, status = 200): Answer {
  return (response) => void response.writeHead(status).end(body);
}

const json = (body: object, status?: number): Answer => text(JSON.stringify(body), status);

function refused(code: string, status: number): Answer {
  return json({ error: { code, message: "It could not be done" } }, status);
}

function stream(events: readonly object[], ending: "closed" | "silent" = "closed"): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    if (ending === "closed") response.end(lines);
    else response.write(lines);
  };
}

function clientOf(url: string, options: Partial<IncipitClientOptions> = {}): ReturnType<typeof createClient> {
  return createClient({ url, token: "a-token", retry: { firstWaitMs: 1, longestWaitMs: 5 }, ...options });
}

async function all<Event>(
  events: AsyncIterable<Event>,
  onEvent: (event: Event) => void = () => {},
): Promise<readonly Event[]> {
  const taken: Event[] = [];
  for await (const event of events) {
    taken.push(event);
    onEvent(event);
  }
  return taken;
}

test("call() is typed by method and path, substitutes parameters, and returns the answer", async () => {
  await using host = await startHost([json({ status: "ok", version: "1", problems: [] }), json({})]);
  const client = clientOf(`${host.url}/`);

  const health = await client.call("GET /health");
  await client.call("GET /conversations/:id", { params: { id } });
  // @ts-expect-error -- the route requires a parameter
  const withoutId = (): unknown => client.call("GET /conversations/:id");
  // @ts-expect-error -- unknown route
  const unknownRoute = (): unknown => client.call("GET /nothing");
  // @ts-expect-error -- streams are read with sendTurn
  const aStream = (): unknown => client.call("POST /conversations/:id/turns");

  expect(health.version).toBe("1");
  expect(host.asked.map(({ call }) => call)).toEqual(["GET /health", "GET /conversations/:id"]);
  expect([withoutId, unknownRoute, aStream]).toHaveLength(3);
});

test("sendTurn() resumes after a disconnect without duplicates, and yields only its turn's events", async () => {
  const foreign = { type: "turn-queue", seq: 4, ...other, input: "Next", position: 1 };
  await using host = await startHost([
    stream([start, one], "silent"),
    unanswered,
    stream([two]),
    stream([foreign, end]),
  ]);
  const seen: Connection[] = [];
  const client = clientOf(host.url, { onConnection: (connection) => seen.push(connection) });

  const events = await all(client.sendTurn(id, { input: "Hi" }), ({ seq }) => seq === 2 && host.cutOff());

  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 5]);
  expect(host.asked).toMatchObject([
    { call: "POST /conversations/:id/turns", key: expect.stringMatching(/^[0-9a-f]{32}$/), lastEventId: undefined },
    { call: "GET /conversations/:id/events", key: undefined, lastEventId: "2" },
    { call: "GET /conversations/:id/events", lastEventId: "2" },
    { call: "GET /conversations/:id/events", lastEventId: "3" },
  ]);
  expect(seen.map(({ isOpen }) => isOpen)).toEqual([false, false, true, false, true]);
});

test("sendTurn() retries a message with the same key until the host acknowledges it", async () => {
  const proxy = text("<html>Bad gateway", 502);
  await using host = await startHost([
    unanswered,
    refused("SERVICE_UNAVAILABLE", 503),
    proxy,
    stream([start, one, two, end]),
  ]);

  const events = await all(clientOf(host.url).sendTurn(id, { input: "Hi" }));

  expect(events).toHaveLength(4);
  expect(host.asked.map(({ call }) => call)).toEqual(Array(4).fill("POST /conversations/:id/turns"));
  expect(new Set(host.asked.map(({ key }) => key)).size).toBe(1);
});

test("sendTurn() uses the given key, or a new one for each message", async () => {
  await using host = await startHost([stream([start, end]), stream([start, end]), stream([start, end])]);
  const client = clientOf(host.url);

  await all(client.sendTurn(id, { input: "Hi" }, { idempotencyKey: "mine" }));
  await all(client.sendTurn(id, { input: "Hi" }));
  await all(client.sendTurn(id, { input: "Hi" }));

  expect(host.asked[0]?.key).toBe("mine");
  expect(new Set(host.asked.map(({ key }) => key)).size).toBe(3);
});

test("sendTurn() throws errors of the host with their code, without a retry", async () => {
  await using host = await startHost([refused("IDEMPOTENCY_CONFLICT", 409)]);

  const failure = await all(clientOf(host.url).sendTurn(id, { input: "Hi" })).catch((reason: unknown) => reason);

  expect(failure).toBeInstanceOf(ApiClientError);
  expect(failure).toMatchObject({ code: "IDEMPOTENCY_CONFLICT", status: 409, message: "It could not be done" });
  expect(host.asked).toHaveLength(1);
});

test("sendTurn() rejects with UNREACHABLE after the retry limit", async () => {
  const client = clientOf("http://127.0.0.1:9", { retry: { firstWaitMs: 1, giveUpAfterMs: 5 } });

  const failure = await all(client.sendTurn(id, { input: "Hi" })).catch((reason: unknown) => reason);

  expect(failure).toMatchObject({ code: "UNREACHABLE", status: 0 });
});

test("a silent stream is reconnected after a timeout", async () => {
  await using host = await startHost([stream([start, one], "silent"), stream([two, end])]);
  const client = clientOf(host.url, { retry: { firstWaitMs: 1, silentAfterMs: 30 } });

  expect((await all(client.sendTurn(id, { input: "Hi" }))).map(({ seq }) => seq)).toEqual([1, 2, 3, 5]);
});

test("a signal aborts streams and retries with its reason", async () => {
  const reason = new Error("enough");
  const streaming = new AbortController();
  await using host = await startHost([stream([start], "silent")]);
  const failure = all(
    (async function* () {
      for await (const event of clientOf(host.url).sendTurn(id, { input: "Hi" }, { signal: streaming.signal })) {
        yield event;
        streaming.abort(reason);
      }
    })(),
  ).catch((caught: unknown) => caught);
  const waiting = new AbortController();
  const client = clientOf("http://127.0.0.1:9", {
    retry: { firstWaitMs: 60_000 },
    onConnection: () => waiting.abort(reason),
  });
  const waited = client.call("GET /health", { signal: waiting.signal }).catch((caught: unknown) => caught);

  expect(await failure).toBe(reason);
  expect(await waited).toBe(reason);
});

test("leaving a stream closes its connection", async () => {
  const left = Promise.withResolvers<void>();
  const answer: Answer = (response) => {
    response.on("close", () => left.resolve());
    stream([start], "silent")(response);
  };
  await using host = await startHost([answer]);

  for await (const event of clientOf(host.url).sendTurn(id, { input: "Hi" })) {
    expect(event.type).toBe("turn-start");
    break;
  }

  await left.promise;
});

test("followEvents() starts after a number or with new events, and resumes after a disconnect", async () => {
  const leave = new AbortController();
  const conversation = json({ conversation: { id, lastSeq: 1 } });
  await using host = await startHost([conversation, unanswered, stream([one, two], "silent"), stream([end])]);
  const client = clientOf(host.url);
  const seen: number[] = [];
  for await (const { seq } of client.followEvents(id, { signal: leave.signal })) {
    seen.push(seq);
    if (seq === 3) break;
  }
  for await (const { seq } of client.followEvents(id, { afterSeq: 4 })) {
    seen.push(seq);
    break;
  }

  expect(seen).toEqual([2, 3, 5]);
  expect(host.asked.map(({ call, lastEventId }) => [call, lastEventId])).toEqual([
    ["GET /conversations/:id", undefined],
    ["GET /conversations/:id/events", "1"],
    ["GET /conversations/:id/events", "1"],
    ["GET /conversations/:id/events", "4"],
  ]);
});

test("call() retries reads, but not writes", async () => {
  await using host = await startHost([
    refused("SERVICE_UNAVAILABLE", 503),
    json({ models: [] }),
    refused("SERVICE_UNAVAILABLE", 503),
  ]);
  const client = clientOf(host.url);

  const { models } = await client.call("GET /models");
  const failure = await client.call("POST /conversations", { body: {} }).catch((reason: unknown) => reason);

  expect(models).toEqual([]);
  expect(failure).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(host.asked).toHaveLength(3);
});

test("retry delays double up to the limit, and reset after progress", async () => {
  const waits: number[] = [];
  const answers = [unanswered, unanswered, unanswered, stream([start], "silent"), unanswered, stream([end])];
  await using host = await startHost(answers);
  const client = clientOf(host.url, {
    retry: { firstWaitMs: 4, longestWaitMs: 8 },
    onConnection: (connection) => connection.isOpen || waits.push(connection.waitMs),
  });

  await all(client.sendTurn(id, { input: "Hi" }), ({ seq }) => seq === 1 && host.cutOff());

  for (const [index, longest] of [4, 8, 8, 4, 8].entries()) {
    expect(waits[index]).toBeLessThanOrEqual(longest);
    expect(waits[index]).toBeGreaterThanOrEqual(longest / 2);
  }
  expect(waits).toHaveLength(5);
});

test.each([
  ["index.ts", 5_000],
  ["session.ts", 3_600],
])("%s bundles to less than %d bytes compressed, without schemas", async (file, limit) => {
  const entrypoints = [join(import.meta.dir, file)];
  const { outputs } = await Bun.build({ entrypoints, target: "browser", minify: true });
  const texts = await Promise.all(outputs.map((output) => output.text()));

  expect(gzipSync(texts.join("")).byteLength).toBeLessThan(limit);
  expect(texts.join("")).not.toMatch(/zod|toJSONSchema/i);
});
