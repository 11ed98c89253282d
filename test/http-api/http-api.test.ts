import type { ApiErrorCode, TurnEvent } from "@incipit/schema";
import {
  conversationsResponseSchema as pageSchema,
  errorResponseSchema,
  messagesResponseSchema,
} from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { parseEvents } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(HostWorld.create({ model: "offline/echo" }));
const host = await world.start();

async function errorOf(
  response: Response,
): Promise<{ readonly status: number; readonly code: ApiErrorCode; readonly message: string }> {
  const { error } = errorResponseSchema.parse(await response.json());
  return { status: response.status, code: error.code, message: error.message };
}

function put(body: string | undefined): Promise<Response> {
  return fetch(`${host.url}/system-prompt`, {
    method: "PUT",
    headers: { authorization: `Bearer ${host.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
}

test("PUT /system-prompt rejects invalid bodies with the field and changes nothing", async () => {
  const before = await host.json("/system-prompt");
  for (const [body, named] of [
    [undefined, "body"],
    ["{", "JSON"],
    ["7", "template"],
    ["{}", "template"],
    ['{"template":7}', "template"],
    ['{"template":"x","extra":1}', "extra"],
  ] as const) {
    expect(await errorOf(await put(body))).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
      message: expect.stringContaining(named),
    });
  }
  expect(await host.json("/system-prompt")).toEqual(before);
});

test("PUT /system-prompt accepts a template of 1 MiB, but no larger one", async () => {
  const largest = "x".repeat(1_048_576);

  expect((await put(JSON.stringify({ template: largest }))).status).toBe(200);
  expect(await errorOf(await put(JSON.stringify({ template: `${largest}x` })))).toMatchObject({
    status: 413,
    code: "TEMPLATE_TOO_LARGE",
  });
  expect(await errorOf(await put(JSON.stringify({ template: "x".repeat(9 * 1_048_576) })))).toMatchObject({
    status: 413,
    code: "BODY_TOO_LARGE",
  });
  expect(await host.json("/system-prompt")).toMatchObject({ template: largest, source: "stored" });
  expect(await host.json("/system-prompt", { method: "DELETE" })).toMatchObject({ source: "default" });
});

test("unknown routes, methods, conversations, ids, steps, models and events have distinct errors", async () => {
  const { id } = await host.createConversation();
  const nobody = "01a1fcd7-5c9a-7556-afda-76769002c75c";
  const cases = [
    [host.fetch("/nothing"), 404, "ROUTE_UNKNOWN"],
    [host.fetch("/system-prompt", { method: "PATCH" }), 405, "METHOD_NOT_ALLOWED"],
    [host.fetch(`/conversations/${nobody}`), 404, "CONVERSATION_UNKNOWN"],
    [host.fetch(`/conversations/${nobody}/turns`, { body: { input: "x" } }), 404, "CONVERSATION_UNKNOWN"],
    [host.fetch("/conversations/nonsense"), 400, "INVALID_REQUEST"],
    [host.fetch(`/conversations/${id}/steps/${nobody}/request`), 404, "STEP_UNKNOWN"],
    [host.fetch(`/conversations/${nobody}/queue`), 404, "CONVERSATION_UNKNOWN"],
    [host.fetch(`/conversations/${id}/queue/${nobody}`, { method: "DELETE" }), 404, "TURN_NOT_QUEUED"],
    [host.fetch(`/conversations/${id}/queue/nonsense`, { method: "DELETE" }), 404, "TURN_NOT_QUEUED"],
    [host.fetch("/conversations", { body: { model: "nobody/x" } }), 400, "MODEL_UNKNOWN"],
    [host.fetch("/conversations", { body: { profile: "nobody" } }), 400, "PROFILE_UNKNOWN"],
    [host.fetch("/conversations", { body: { cwd: "relative" } }), 400, "CWD_INVALID"],
    [host.fetch("/conversations", { body: { cwd: "/no/such/folder" } }), 400, "CWD_INVALID"],
    [host.fetch(`/conversations/${id}`, { method: "PATCH", body: { cwd: "/no/such" } }), 400, "CWD_INVALID"],
    [host.fetch(`/conversations/${id}/turns`, { body: { input: "" } }), 400, "INVALID_REQUEST"],
    [host.fetch(`/conversations/${id}/events?after=1`), 400, "INVALID_EVENT_ID"],
    [host.fetch(`/conversations/${id}/events?after=x`), 400, "INVALID_EVENT_ID"],
    [host.fetch(`/conversations/${id}/compact`, { method: "POST" }), 409, "NOTHING_TO_COMPACT"],
    [host.fetch("/extensions/nobody/unload", { method: "POST" }), 404, "EXTENSION_UNKNOWN"],
    [host.fetch("/conversations?limit=0"), 400, "INVALID_REQUEST"],
    [host.fetch("/conversations?archived=yes"), 400, "INVALID_REQUEST"],
    [
      host.fetch(`/conversations/${nobody}`, { method: "PATCH", body: { title: "x" } }),
      404,
      "CONVERSATION_UNKNOWN",
    ],
    ...[{}, { title: 7 }, { title: " " }, { title: "two\nlines" }, { title: "x".repeat(1_001) }, { epoch: 2 }].map(
      (body) => [host.fetch(`/conversations/${id}`, { method: "PATCH", body }), 400, "INVALID_REQUEST"] as const,
    ),
  ] as const;

  for (const [response, status, code] of cases)
    expect(await errorOf(await response)).toMatchObject({ status, code });
});

test("a turn's stream has only its own events with ids, and closes after turn-end", async () => {
  const { id } = await host.createConversation();
  const response = await host.fetch(`/conversations/${id}/turns`, {
    body: { input: [{ type: "text", text: "Hello" }] },
  });
  const text = await response.text();

  const events = parseEvents(text);

  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
    "turn-start",
    "prompt-resolve",
    "step-start",
    "text-start",
  ]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number))).toEqual(
    events.map(({ seq }) => seq),
  );
  expect(new Set(events.map(({ turnId }) => turnId)).size).toBe(1);
});

test("a message repeated with its Idempotency-Key returns the events of the same turn", async () => {
  const { id } = await host.createConversation();
  const send = (key: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    host.fetch(`/conversations/${id}/turns`, { body, headers: { "idempotency-key": key, ...headers } });
  const first = parseEvents(await (await send("a key", { input: "Hello" })).text());

  const again = await (await send("a key", { input: "Hello" })).text();
  const accepted = await (await send("a key", { input: "Hello" }, { prefer: "respond-async" })).json();
  const other = await errorOf(await send("a key", { input: "Bye" }));
  const refused = await Promise.all(
    ["", "x".repeat(256)].map(async (key) => errorOf(await send(key, { input: "x" }))),
  );

  expect(parseEvents(again)).toEqual(first);
  expect(first.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(accepted).toEqual({ turnId: first[0]?.turnId });
  expect(other).toMatchObject({ status: 409, code: "IDEMPOTENCY_CONFLICT" });
  for (const error of refused) expect(error).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  const { messages } = messagesResponseSchema.parse(await host.json(`/conversations/${id}/messages`));
  expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
});

test("events are replayed after any number without gaps or repeats", async () => {
  const { id } = await host.createConversation();
  const all = await host.turn(id, { input: "Hello" });
  const last = all.length;
  for (const after of [0, 1, Math.floor(last / 2), last - 1]) {
    const replayed = await take(
      await host.fetch(`/conversations/${id}/events`, { headers: { "last-event-id": String(after) } }),
      last - after,
    );
    expect(replayed).toEqual(all.slice(after));
  }
});

async function take(response: Response, count: number): Promise<readonly TurnEvent[]> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = parseEvents(text.slice(0, text.lastIndexOf("\n\n") + 1));
    if (events.length >= count) return events;
  }
  return parseEvents(text);
}

test("a system message is sent for one call and never stored", async () => {
  const { id } = await host.createConversation();
  const events = await host.turn(id, { input: "Hello", system: ["Be terse.", "Be kind."] });
  const next = await host.turn(id, { input: "Again" });
  const reply = (of: readonly TurnEvent[]): string =>
    of.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");

  expect(reply(events)).toContain("Its first line: Be terse.");
  expect(reply(next)).toContain("Its first line: You are a helpful coding assistant.");
  const { messages } = messagesResponseSchema.parse(await host.json(`/conversations/${id}/messages`));
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("lists are paged by cursor: every item once", async () => {
  for (let count = 0; count < 5; count += 1) await host.createConversation({ title: `page ${count}` });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await host.json(`/conversations?limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`);
    const { conversations, nextCursor } = pageSchema.parse(page);
    seen.push(...conversations.map(({ id }) => id));
    cursor = nextCursor;
  } while (cursor !== undefined);

  const { conversations } = pageSchema.parse(await host.json("/conversations?limit=1000"));
  expect(seen).toEqual(conversations.map(({ id }) => id));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(seen.toSorted().toReversed());
});

test("PATCH /conversations/:id renames and archives, and an archived conversation can continue", async () => {
  const { id } = await host.createConversation();
  await host.turn(id, { input: "Say hello\nand bye" });
  const path = `/conversations/${id}`;
  const ids = async (query: string): Promise<readonly string[]> =>
    pageSchema.parse(await host.json(`/conversations?limit=1000${query}`)).conversations.map((one) => one.id);

  const before = await host.json(path);
  const patched = await host.json(path, { method: "PATCH", body: { title: " Größe 🎉 ", archived: true } });

  expect(before).toMatchObject({ conversation: { title: "Say hello", archived: false } });
  expect(patched).toMatchObject({ conversation: { id, title: "Größe 🎉", archived: true } });
  expect(await host.json(path)).toEqual(patched);
  expect(await ids("")).not.toContain(id);
  expect(await ids("&archived=true")).toEqual([id]);
  expect(await ids("&archived=all")).toContain(id);
  expect((await host.turn(id, { input: "Again" })).at(-1)).toMatchObject({ status: "completed" });
  await host.json(path, { method: "PATCH", body: { archived: false } });
  expect(await ids("")).toContain(id);
});

test("cursors page through 2,000 conversations with a sparse filter, each match once", async () => {
  await using large = await HostWorld.create({ model: "offline/echo" });
  const full = await large.start();
  const made: string[] = [];
  while (made.length < 2_000)
    made.push(
      ...(await Promise.all(Array.from({ length: 100 }, () => full.createConversation()))).map(({ id }) => id),
    );
  const newestFirst = made.toSorted().toReversed();
  const archived = new Set(newestFirst.filter((_, index) => index % 40 === 7 || index > 1_990));
  await Promise.all(
    [...archived].map((id) => full.json(`/conversations/${id}`, { method: "PATCH", body: { archived: true } })),
  );

  for (const [filter, expected] of [
    ["all", newestFirst],
    ["true", newestFirst.filter((id) => archived.has(id))],
    ["false", newestFirst.filter((id) => !archived.has(id))],
  ] as const) {
    for (const limit of [1_000, 130]) {
      const seen: string[] = [];
      for (let cursor: string | undefined, isEnd = false; !isEnd; isEnd = cursor === undefined) {
        const behind = cursor === undefined ? "" : `&cursor=${cursor}`;
        const page = pageSchema.parse(await full.json(`/conversations?archived=${filter}&limit=${limit}${behind}`));
        seen.push(...page.conversations.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(expected);
    }
  }
}, 300_000);

test("openapi.json, models, messages and extensions match the contract schemas", async () => {
  expect(await host.json("/openapi.json")).toMatchObject({ openapi: "3.1.1" });
  expect(await host.json("/models")).toMatchObject({
    models: [{ id: "offline/echo", isReady: true, isDefault: true }],
  });
});
