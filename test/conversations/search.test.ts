import type { ArchivedFilter, ConversationId, SearchResult } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { ApiClientError, createClient, routes, type Client } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";

interface World {
  readonly options: HostProcessOptions;
  readonly host: HostProcess;
  readonly client: Client;
}

async function createWorld(scope: AsyncDisposableStack): Promise<World> {
  const folder = scope.use(await createTempFolder());
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(options.config, "");
  const host = scope.use(await HostProcess.start(options));
  return { options, host, client: createClient({ url: host.url, token: host.token }) };
}

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

async function store(
  { client }: World,
  { title, archived = false, messages = [] }: Given,
): Promise<ConversationId> {
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

async function pagesOf({ client }: World, query: Query): Promise<readonly (readonly SearchResult[])[]> {
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

async function found(world: World, query: Query): Promise<readonly string[]> {
  return (await pagesOf(world, query)).flat().map(({ conversation }) => conversation.id);
}

test("GET /conversations/search matches all words in a title or one message, with ranges", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const { host } = world;
  const titled = await store(world, { title: "Crème brûlée", messages: [{ text: "sweet things" }] });
  const spoken = await store(world, {
    title: "Archaic",
    messages: [
      { text: "eﬃcient Straße, İstanbul", epoch: 1 },
      { text: "go on", epoch: 2 },
      { role: "assistant", text: "an otter 🦦\nsays “a b”", epoch: 2 },
    ],
  });
  const other = await store(world, {
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

  for (const [q, ids] of table) expect({ q, ids: await found(world, { q }) }).toEqual({ q, ids: [...ids] });
  const [[result] = []] = await pagesOf(world, { q: "otter says" });
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
  const [[marmots] = []] = await pagesOf(world, { q: "marmots" });
  expect(marmots?.matches[0]).toMatchObject({ messageId: null, role: null, snippet: "Where do marmots live?" });
  expect(marmots?.matches.map(({ role }) => role)).toEqual([null, "assistant", "user"]);
  expect(marmots?.matches[2]).toMatchObject({ messageId: expect.any(String), ranges: [{ start: 9, end: 16 }] });
  expect(other).not.toBe(spoken);
}, 300_000);

test("GET /conversations/search without words, with a long q or a foreign cursor is INVALID_REQUEST", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const refused = async (query: Query & { readonly cursor?: string }): Promise<unknown> =>
    world.client.call(routes.searchConversations, { query: { ...query } }).catch((error: unknown) => error);

  for (const q of ["", "  ", '""', '" "', "\u0301", "x".repeat(201)]) {
    const error = await refused({ q });
    expect(error).toBeInstanceOf(ApiClientError);
    expect(error).toMatchObject({ code: "INVALID_REQUEST", status: 400 });
  }
  expect(await refused({ q: "x", cursor: "next" })).toMatchObject({ code: "INVALID_REQUEST" });
  expect((await world.host.fetch("/conversations/search")).status).toBe(400);
  expect(await refused({ q: "x".repeat(200) })).toEqual({ results: [] });
}, 300_000);

test("GET /conversations/search pages through 300 conversations, newest first, each match once", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const ids: { readonly id: ConversationId; readonly archived: boolean }[] = [];
  for (let index = 0; index < 300; index += 1) {
    const archived = index % 4 === 0;
    const text = index % 3 === 0 ? "a needle, and a needle" : "hay";
    const id = await store(world, { title: `No. ${index}`, archived, messages: [{ text }, { text }] });
    if (index % 3 === 0) ids.unshift({ id, archived });
  }
  const expected = {
    false: ids.filter(({ archived }) => !archived),
    true: ids.filter(({ archived }) => archived),
    all: ids,
  };

  for (const limit of [1_000, 7, 1]) {
    for (const archived of ["false", "true", "all"] as const) {
      const pages = await pagesOf(world, { q: "NEEDLE", limit, archived });
      expect(pages.flat().map(({ conversation }) => conversation.id)).toEqual(
        expected[archived].map(({ id }) => id),
      );
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit);
    }
  }
  expect(await found(world, { q: "needle" })).toEqual(expected.false.map(({ id }) => id));
}, 300_000);

test("GET /conversations/search reads a limited part of a long conversation and continues within it", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const older = await store(world, { title: "needle" });
  const messages = Array.from({ length: 5_000 }, (_, index) => ({ text: index === 40 ? "the needle" : "hay" }));
  const long = await store(world, { messages });
  const large = await store(world, {
    messages: [{ text: "needle" }, { text: "hay ".repeat(700_000) }, { text: "hay ".repeat(700_000) }],
  });

  const pages = await pagesOf(world, { q: "needle" });

  expect(pages.length).toBeGreaterThanOrEqual(4);
  expect(pages.flat().map(({ conversation }) => conversation.id)).toEqual([large, long, older]);
  expect(pages.flat().map(({ matches }) => matches.length)).toEqual([1, 1, 1]);
}, 300_000);

test("GET /conversations/search returns at most 3 matches, title first, then newest messages", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const [first, second, third] = [0, 1, 2].map(() => Bun.randomUUIDv7());
  const many = await store(world, {
    title: "needle",
    messages: [{ text: "needle 1" }, { text: "needle 2" }, { text: "needle 3" }],
  });
  const carried = await store(world, {
    messages: [
      { text: "needle 1", id: first ?? "" },
      { text: "needle 2", id: second ?? "" },
      { text: "needle 2", id: third ?? "", carriedFrom: second ?? "", epoch: 2 },
    ],
  });

  const [results = []] = await pagesOf(world, { q: "needle" });

  expect(results.map(({ conversation }) => conversation.id)).toEqual([carried, many]);
  expect(results[0]?.matches.map(({ messageId }) => String(messageId))).toEqual([third ?? "", first ?? ""]);
  expect(results[1]?.matches.map(({ snippet }) => snippet)).toEqual(["needle", "needle 3", "needle 2"]);
}, 300_000);

test("[set-aside] GET /conversations/search skips damaged data, which health reports", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const oldest = await store(world, { messages: [{ text: "needle" }] });
  const damaged = await store(world, { messages: [{ text: "needle" }] });
  const part = await store(world, {
    messages: [{ text: "needle 0" }, ...Array.from({ length: 40 }, () => ({ text: "broken" })), { text: "hay" }],
  });
  await world.host.kill("SIGTERM");
  {
    using database = new Database(join(world.options.data, "incipit.db"));
    database.run("UPDATE entries SET value = '7' WHERE key = ?", [`conversation:${damaged}`]);
    database.run("UPDATE entries SET value = '7' WHERE key LIKE ? AND value LIKE '%broken%'", [
      `message:${part}:%`,
    ]);
  }
  const host = scope.use(await HostProcess.start(world.options));
  const next = { ...world, host, client: createClient({ url: host.url, token: host.token }) };

  expect(await found(next, { q: "needle" })).toEqual([part, oldest]);
  expect(await found(next, { q: "needle", limit: 1 })).toEqual([part, oldest]);
  expect(await next.client.call(routes.getHealth)).toMatchObject({ status: "degraded" });
}, 300_000);

test("GET /conversations/search omits a deleted conversation and continues after it", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await createWorld(scope);
  const oldest = await store(world, { messages: [{ text: "needle" }] });
  const long = await store(world, {
    messages: Array.from({ length: 3_000 }, (_, index) => ({ text: index === 5 ? "needle" : "hay" })),
  });
  const newest = await store(world, { messages: [{ text: "needle" }] });
  const query = { q: "needle" };

  const first = await world.client.call(routes.searchConversations, { query });
  await world.client.call(routes.deleteConversation, { params: { id: long } });
  await world.client.call(routes.deleteConversation, { params: { id: newest } });
  const { nextCursor = "" } = first;
  const second = await world.client.call(routes.searchConversations, { query: { ...query, cursor: nextCursor } });

  expect(first.results.map(({ conversation }) => conversation.id)).toEqual([newest]);
  expect(nextCursor).toStartWith(`${long}:`);
  expect(second.results.map(({ conversation }) => conversation.id)).toEqual([oldest]);
  expect(await found(world, query)).toEqual([oldest]);
}, 300_000);
