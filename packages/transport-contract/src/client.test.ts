import { expect, test } from "bun:test";
import { createClient, type Client } from "./client.ts";
import { ApiClientError } from "./http/api-client-error.ts";
import { routes } from "./routes.ts";
import { exportContentType } from "./http/requests.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const base = { turnId: "01a1fcd7-5c9a-7556-afda-76769002c75d", at: "2026-01-01T00:00:00.000Z" };
const start = { type: "turn-start", seq: 1, ...base, input: "Grüße" };
const end = { type: "turn-end", seq: 2, ...base, status: "completed" };

interface World extends AsyncDisposable {
  readonly client: Client;
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly headers: Headers;
  }[];
}

/** Creates a client of a server with a fixed answer. */
function startWorld(answer: (request: Request) => Response): World {
  const requests: World["requests"] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      requests.push({ method, path: `${pathname}${search}`, body: await request.text(), headers });
      return answer(request);
    },
  });
  const client = createClient({ url: `http://127.0.0.1:${server.port}`, token: "a-token" });
  return { client, requests, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Splits a stream into chunks of a few bytes, within characters and lines. */
function inPieces(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  let position = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (position >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(position, (position += 3)));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function lines(event: { readonly seq: number; readonly type: string }): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("createClient sends path, query, body and token", async () => {
  const conversations: readonly unknown[] = [];
  await using world = startWorld(() => Response.json({ conversations, template: "x" }));

  await world.client.call(routes.listConversations, { query: { limit: 2, cursor: "a b" } });
  await world.client.call(routes.setSystemPrompt, { body: { template: "x" } });
  await failureOf(() => world.client.call(routes.unloadExtension, { params: { id: "a/b" } }));

  expect(world.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    { method: "GET", path: "/conversations?limit=2&cursor=a+b", body: "" },
    { method: "PUT", path: "/system-prompt", body: '{"template":"x"}' },
    { method: "POST", path: "/extensions/a%2Fb/unload", body: "" },
  ]);
  for (const { headers } of world.requests) expect(headers.get("authorization")).toBe("Bearer a-token");
  expect(world.requests.map(({ headers }) => headers.get("content-type"))).toEqual([
    null,
    "application/json",
    null,
  ]);
});

test("createClient uses the given fetch", async () => {
  const urls: string[] = [];
  const client = createClient({
    url: "http://host.test",
    token: "a-token",
    fetch: async (url) => {
      urls.push(url);
      return Response.json({ status: "ok", version: "1", problems: [] });
    },
  });

  expect(await client.call(routes.getHealth)).toEqual({ status: "ok", version: "1", problems: [] });
  expect(urls).toEqual(["http://host.test/health"]);
});

test("call() rejects with the code, message and status of an error answer", async () => {
  const error = { code: "CONVERSATION_UNKNOWN", message: "There is no such conversation" };
  await using world = startWorld(() => Response.json({ error }, { status: 404 }));

  const failure = await failureOf(() => world.client.call(routes.getConversation, { params: { id } }));

  expect(failure).toBeInstanceOf(ApiClientError);
  expect(failure).toMatchObject({ ...error, status: 404 });
});

test("call() rejects as unreadable for an answer of another API", async () => {
  for (const [body, status] of [
    ["<html>", 502],
    ["<html>", 200],
    ['{"status":"fine"}', 200],
    ['{"error":{"code":"NEVER_HEARD_OF"}}', 400],
  ] as const) {
    await using world = startWorld(() => new Response(body, { status }));

    expect(await failureOf(() => world.client.call(routes.getHealth))).toMatchObject({
      name: "ApiClientError",
      code: "UNREADABLE",
      status,
    });
  }
});

test("call() rejects as unreachable without an answer, and with its signal's reason when aborted", async () => {
  const world = startWorld(() => new Response());
  await world[Symbol.asyncDispose]();
  const signal = AbortSignal.abort(new Error("changed my mind"));

  expect(await failureOf(() => world.client.call(routes.getHealth))).toMatchObject({
    code: "UNREACHABLE",
    status: 0,
  });
  expect(await failureOf(() => world.client.call(routes.getHealth, { signal }))).toBe(signal.reason);
});

test("sendTurn() yields each event for any chunk size, and skips comments", async () => {
  await using world = startWorld(() => inPieces(`: keep open\n\n${lines(start)}: keep open\n\n${lines(end)}`));

  const events = await Array.fromAsync(world.client.sendTurn(id, { input: "Grüße" }));

  expect(events).toMatchObject([start, end]);
  expect(world.requests).toMatchObject([
    { method: "POST", path: `/conversations/${id}/turns`, body: '{"input":"Grüße"}' },
  ]);
});

test("sendTurn() rejects as unreadable for an unknown event", async () => {
  for (const data of ["{", '{"type":"nonsense"}']) {
    await using world = startWorld(() => inPieces(`${lines(start)}data: ${data}\n\n`));
    const seen: unknown[] = [];

    const failure = await failureOf(async () => {
      for await (const event of world.client.sendTurn(id, { input: "x" })) seen.push(event);
    });

    expect(seen).toMatchObject([start]);
    expect(failure).toMatchObject({ name: "ApiClientError", code: "UNREADABLE" });
  }
});

test("followEvents() requests events after a number, and cancels the stream when left", async () => {
  const left = Promise.withResolvers<void>();
  await using world = startWorld(
    () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(lines(start))),
          cancel: () => left.resolve(),
        }),
      ),
  );

  for await (const event of world.client.followEvents(id, { afterSeq: 0 })) {
    expect(event).toMatchObject(start);
    break;
  }

  await left.promise;
  expect(world.requests).toMatchObject([{ method: "GET", path: `/conversations/${id}/events?after=0` }]);
});

test("followEvents() rejects with its signal's reason", async () => {
  await using world = startWorld(
    () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(lines(start))),
        }),
      ),
  );
  const controller = new AbortController();

  const failure = await failureOf(async () => {
    for await (const _ of world.client.followEvents(id, { signal: controller.signal })) {
      controller.abort(new Error("enough"));
    }
  });

  expect(failure).toBe(controller.signal.reason);
});

test("call() checks the input of its route at compile time", () => {
  const client = createClient({ url: "http://host.test", token: "a-token" });
  const refused = [
    // @ts-expect-error -- missing id
    () => client.call(routes.getConversation),
    // @ts-expect-error -- missing body
    () => client.call(routes.setSystemPrompt),
    // @ts-expect-error -- `template` must be a string
    () => client.call(routes.setSystemPrompt, { body: { template: 7 } }),
    // @ts-expect-error -- streams are read with `followEvents`
    () => client.call(routes.followEvents, { params: { id } }),
  ];

  expect(refused).toHaveLength(4);
});

test("ApiClientError has the given cause, or none", () => {
  const cause = new Error("no route");

  expect(new ApiClientError("UNREACHABLE", "x", { status: 0, cause }).cause).toBe(cause);
  expect("cause" in new ApiClientError("UNREACHABLE", "x", { status: 0 })).toBe(false);
});

test("importConversation() sends an export unchanged, and both functions respect their signal", async () => {
  const exported = '{"type":"incipit-conversation","version":1}\n';
  const error = { code: "CONVERSATION_EXISTS", message: "It is there" };
  await using world = startWorld(({ method }) =>
    method === "GET" ? new Response(exported) : Response.json({ error }, { status: 409 }),
  );
  const { client } = world;
  const signal = AbortSignal.abort(new Error("changed my mind"));

  const lines = await client.exportConversation(id, { signal: new AbortController().signal });
  const failure = await failureOf(() => client.importConversation(lines));

  expect(failure).toMatchObject(error);
  expect(world.requests.map(({ method, body, headers }) => [method, body, headers.get("content-type")])).toEqual([
    ["GET", "", null],
    ["POST", exported, exportContentType],
  ]);
  expect(await failureOf(() => client.exportConversation(id, { signal }))).toBe(signal.reason);
  expect(await failureOf(() => client.importConversation(new Blob([exported]), { signal }))).toBe(signal.reason);
  expect(world.requests).toHaveLength(2);
});

test("sendTurn() sends its idempotency key, if any, and respects its signal", async () => {
  await using world = startWorld(() => inPieces(lines(end)));

  await Array.fromAsync(world.client.sendTurn(id, { input: "x" }, { idempotencyKey: "key-1" }));
  await Array.fromAsync(world.client.sendTurn(id, { input: "x" }));
  const stopped = Array.fromAsync(world.client.sendTurn(id, { input: "x" }, { signal: AbortSignal.abort() }));

  expect(await stopped.catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(world.requests.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["key-1", null]);
});
