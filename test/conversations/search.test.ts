import type { ArchivedFilter, ConversationId, SearchResult } from "@incipit/schema";
import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

/** Shared: each test searches for a word of its own. */
let world: World;
let host: HostProcess;
let client: Client;

beforeAll(async () => {
  world = await World.start({ config: () => "" });
  host = await world.host();
  ({ client } = host);
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

interface Said {
  readonly role?: "user" | "assistant" | "tool";
  readonly text?: string;
  readonly parts?: readonly unknown[];
  readonly epoch?: number;
  readonly id?: string;
  readonly carriedFrom?: string;
}

interface Given {
  readonly title?: string;
  readonly archived?: boolean;
  readonly messages?: readonly Said[];
}

let made = 0;

async function store({ title, archived = false, messages = [] }: Given): Promise<ConversationId> {
  const at = "2026-11-21T10:00:00.000Z";
  const newId = (): string => Bun.randomUUIDv7("hex", Date.parse(at) + made++);
  const id = newId();
  const epoch = Math.max(1, ...messages.map((message) => message.epoch ?? 1));
  const value = { id, cwd: "/", model: "offline/echo", profile: null, title: title ?? null, archived, epoch };
  const lines = [
    { type: "incipit-conversation", version: 1 },
    { type: "conversation", value: { ...value, createdAt: at, updatedAt: at, lastSeq: 0 } },
    ...messages.map(({ role = "user", text = "", ...said }, index) => ({
      type: "record",
      kind: "message",
      key: String(index).padStart(12, "0"),
      value: {
        id: newId(),
        role,
        parts: [{ type: "text", text }],
        turnId: newId(),
        epoch: 1,
        createdAt: at,
        ...said,
      },
    })),
    { type: "end", records: messages.length },
  ];
  return (await client.importConversation(new Blob(lines.map((line) => `${JSON.stringify(line)}\n`)))).id;
}

interface Query {
  readonly q: string;
  readonly archived?: ArchivedFilter;
  readonly limit?: number;
}

async function pagesOf(query: Query): Promise<readonly (readonly SearchResult[])[]> {
  const pages = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.call(routes.searchConversations, {
      query: { ...query, ...(cursor === undefined ? {} : { cursor }) },
    });
    pages.push(page.results);
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
  }
}

async function found(query: Query): Promise<readonly string[]> {
  return (await pagesOf(query)).flat().map(({ conversation }) => conversation.id);
}

test("GET /conversations/search matches all words in a title or one message, with ranges", async () => {
  const titled = await store({ title: "Crème brûlée", messages: [{ text: "sweet things" }] });
  const spoken = await store({
    title: "Archaic",
    messages: [
      { text: "eﬃcient Straße, İstanbul", epoch: 1 },
      { text: "go on", epoch: 2 },
      { role: "assistant", text: "an otter 🦦\nsays “a b”", epoch: 2 },
    ],
  });
  const other = await store({
    messages: [
      { text: "look around" },
      { role: "assistant", parts: [{ type: "reasoning", text: "secretly otter" }] },
      {
        role: "assistant",
        parts: [{ type: "tool-call", toolCallId: "call_1", name: "find", input: '{"q":"otter"}' }],
      },
      {
        role: "tool",
        parts: [{ type: "tool-result", toolCallId: "call_1", name: "find", output: "otter", isError: false }],
      },
    ],
  });
  const { id: lived } = await host.createConversation({});
  await host.turn(lived, { input: "Where do marmots live?" });
  const table: readonly (readonly [q: string, ids: readonly string[]])[] = [
    ["creme", [titled]],
    ["BRÛLÉE crème", [titled]],
    ["sweet", [titled]],
    ["creme sweet", []],
    ["efficient", [spoken]],
    ["STRASSE istanbul", [spoken]],
    ["otter", [spoken]],
    ["🦦", [spoken]],
    ['"otter 🦦 says"', [spoken]],
    ['"says otter"', []],
    ["efficient otter", []],
    ["marmots", [lived]],
    ["ARCH", [spoken]],
    ["nowhere", []],
  ];

  for (const [q, ids] of table) expect({ q, ids: await found({ q }) }).toEqual({ q, ids: [...ids] });
  const [[result] = []] = await pagesOf({ q: "otter says" });
  expect(result?.conversation).toMatchObject({ id: spoken, title: "Archaic", status: "idle" });
  expect(result?.matches).toMatchObject([
    {
      role: "assistant",
      snippet: "an otter 🦦 says “a b”",
      ranges: [
        { start: 3, end: 8 },
        { start: 12, end: 16 },
      ],
    },
  ]);
  const [[marmots] = []] = await pagesOf({ q: "marmots" });
  expect(marmots?.matches[0]).toMatchObject({ messageId: null, role: null, snippet: "Where do marmots live?" });
  expect(marmots?.matches.map(({ role }) => role)).toEqual([null, "assistant", "user"]);
  expect(marmots?.matches[2]).toMatchObject({ messageId: expect.any(String), ranges: [{ start: 9, end: 16 }] });
  expect(other).not.toBe(spoken);
}, 300_000);

test("GET /conversations/search without words, with a long q or a foreign cursor is INVALID_REQUEST", async () => {
  const refused = async (query: Query & { readonly cursor?: string }): Promise<unknown> =>
    client.call(routes.searchConversations, { query: { ...query } }).catch((error: unknown) => error);

  for (const q of ["", "  ", '""', '" "', "\u0301", "x".repeat(201)]) {
    const error = await refused({ q });
    expect(error).toBeInstanceOf(ApiClientError);
    expect(error).toMatchObject({ code: "INVALID_REQUEST", status: 400 });
  }
  expect(await refused({ q: "x", cursor: "next" })).toMatchObject({ code: "INVALID_REQUEST" });
  expect((await host.fetch("/conversations/search")).status).toBe(400);
  expect(await refused({ q: "x".repeat(200) })).toEqual({ results: [] });
}, 300_000);

test("GET /conversations/search pages through 300 conversations, newest first, each match once", async () => {
  const ids: { readonly id: ConversationId; readonly archived: boolean }[] = [];
  for (let index = 0; index < 300; index += 1) {
    const archived = index % 4 === 0;
    const text = index % 3 === 0 ? "a thimble, and a thimble" : "hay";
    const id = await store({ title: `No. ${index}`, archived, messages: [{ text }, { text }] });
    if (index % 3 === 0) ids.unshift({ id, archived });
  }
  const expected = {
    false: ids.filter(({ archived }) => !archived),
    true: ids.filter(({ archived }) => archived),
    all: ids,
  };

  for (const limit of [1_000, 7, 1]) {
    for (const archived of ["false", "true", "all"] as const) {
      const pages = await pagesOf({ q: "THIMBLE", limit, archived });
      expect(pages.flat().map(({ conversation }) => conversation.id)).toEqual(
        expected[archived].map(({ id }) => id),
      );
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit);
    }
  }
  expect(await found({ q: "thimble" })).toEqual(expected.false.map(({ id }) => id));
}, 300_000);

test("GET /conversations/search returns at most 3 matches, title first, then newest messages", async () => {
  const [first, second, third] = [0, 1, 2].map(() => Bun.randomUUIDv7());
  const many = await store({
    title: "spindle",
    messages: [{ text: "spindle 1" }, { text: "spindle 2" }, { text: "spindle 3" }],
  });
  const carried = await store({
    messages: [
      { text: "spindle 1", id: first ?? "" },
      { text: "spindle 2", id: second ?? "" },
      { text: "spindle 2", id: third ?? "", carriedFrom: second ?? "", epoch: 2 },
    ],
  });

  const [results = []] = await pagesOf({ q: "spindle" });

  expect(results.map(({ conversation }) => conversation.id)).toEqual([carried, many]);
  expect(results[0]?.matches.map(({ messageId }) => String(messageId))).toEqual([third ?? "", first ?? ""]);
  expect(results[1]?.matches.map(({ snippet }) => snippet)).toEqual(["spindle", "spindle 3", "spindle 2"]);
}, 300_000);

test("GET /conversations/search omits a deleted conversation and continues after it", async () => {
  const oldest = await store({ messages: [{ text: "shuttle" }] });
  const long = await store({
    messages: Array.from({ length: 3_000 }, (_, index) => ({ text: index === 5 ? "shuttle" : "hay" })),
  });
  const newest = await store({ messages: [{ text: "shuttle" }] });
  const query = { q: "shuttle" };

  const first = await client.call(routes.searchConversations, { query });
  await client.call(routes.deleteConversation, { params: { id: long } });
  await client.call(routes.deleteConversation, { params: { id: newest } });
  const { nextCursor = "" } = first;
  const second = await client.call(routes.searchConversations, { query: { ...query, cursor: nextCursor } });

  expect(first.results.map(({ conversation }) => conversation.id)).toEqual([newest]);
  expect(nextCursor).toStartWith(`${long}:`);
  expect(second.results.map(({ conversation }) => conversation.id)).toEqual([oldest]);
  expect(await found(query)).toEqual([oldest]);
}, 300_000);

test("[set-aside] GET /conversations/search skips damaged data, which health reports", async () => {
  const oldest = await store({ messages: [{ text: "distaff" }] });
  const damaged = await store({ messages: [{ text: "distaff" }] });
  const part = await store({
    messages: [{ text: "distaff 0" }, ...Array.from({ length: 40 }, () => ({ text: "broken" })), { text: "hay" }],
  });
  await host.kill("SIGTERM");
  {
    using database = new Database(join(world.data, "incipit.db"));
    database.run("UPDATE entries SET value = '7' WHERE key = ?", [`conversation:${damaged}`]);
    database.run("UPDATE entries SET value = '7' WHERE key LIKE ? AND value LIKE '%broken%'", [
      `message:${part}:%`,
    ]);
  }
  host = await world.host();
  ({ client } = host);

  expect(await found({ q: "distaff" })).toEqual([part, oldest]);
  expect(await found({ q: "distaff", limit: 1 })).toEqual([part, oldest]);
  expect(await client.call(routes.getHealth)).toMatchObject({ status: "degraded" });
}, 300_000);
