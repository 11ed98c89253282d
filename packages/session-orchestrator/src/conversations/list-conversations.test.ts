import { conversationIdSchema, type ConversationId, type StatusFilter, type TurnEvent } from "@incipit/schema";
import type { ListQuery } from "@incipit/service-contract";
import type { StorageDriver, JsonValue } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { allPages, callOne, collect, createWorld, stall, until, type World } from "../testing/test-world.ts";
import { getStored, hookedStorage, listStored, putStored } from "../testing/hooked-storage.ts";
import { linesFrom } from "../testing/archive.ts";
import { newTool } from "../testing/new-tool.ts";
import { indexWrites } from "./filter-index.ts";

const namespace = "session-orchestrator/conversations";

interface Made {
  readonly id: string;
  readonly archived: boolean;
  readonly model: string;
}

/** Contains all special characters of storage keys. */
const otherModel = "test/other:8b~%/\u{1f600}";

async function fill(
  storage: StorageDriver,
  count: number,
  isArchived: (index: number) => boolean,
  hasOtherModel: (index: number) => boolean = () => false,
): Promise<readonly Made[]> {
  await using world = await createWorld({ storage, isStarting: true });
  const { id: first } = await world.conversations.create({});
  const stored = await storage.get(namespace, `conversation:${first}`);
  await world.conversations.delete(first);
  const made = Array.from({ length: count }, (_, index) => ({
    id: Bun.randomUUIDv7("hex", world.clock.now() + index),
    archived: isArchived(index),
    model: hasOtherModel(index) ? otherModel : "test/model",
  }));
  const set = (key: string, value: JsonValue) => ({ kind: "set", namespace, key, value }) as const;
  await storage.atomic(
    [],
    [
      ...made.map((record) => set(`conversation:${record.id}`, { ...Object(stored?.value), ...record })),
      ...made.flatMap((record) => indexWrites(record).map((write) => ({ ...write, namespace }))),
    ],
  );
  return made.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

function counted(memory: StorageDriver): { readonly storage: StorageDriver; readonly read: number[] } {
  const read: number[] = [];
  const storage = hookedStorage({ listed: (entries) => read.push(entries.length) }, memory);
  return { storage, read };
}

async function pagesOf(world: World, query: Omit<ListQuery, "cursor">): Promise<readonly (readonly string[])[]> {
  const pages = await allPages((cursor) => world.conversations.list({ ...query, ...cursor }));
  return pages.map(({ items }) => items.map(({ id }) => id));
}

test("list pages through every archive filter, each match once, newest first", async () => {
  const storage = createMemoryStorage();
  const made = await fill(storage, 900, (index) => index % 7 === 0 || (index > 130 && index < 760));
  await using world = await createWorld({ storage, isStarting: true });
  const expected = {
    false: made.filter(({ archived }) => !archived),
    true: made.filter(({ archived }) => archived),
    all: made,
  };

  for (const limit of [1_000, 100, 7]) {
    for (const archived of ["false", "true", "all"] as const) {
      const pages = await pagesOf(world, { limit, archived });
      expect(pages.flat()).toEqual(expected[archived].map(({ id }) => id));
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit);
    }
  }
  expect((await pagesOf(world, { limit: 1_000 })).flat()).toEqual(expected.false.map(({ id }) => id));
});

test("list pages through model, status and archive filters, each match once, newest first", async () => {
  const storage = createMemoryStorage();
  const made = await fill(
    storage,
    240,
    (index) => index % 7 === 0 || (index > 30 && index < 200),
    (index) => index % 5 === 0 || (index > 150 && index < 180),
  );
  await using world = await createWorld({ storage, isStarting: true });

  for (const archived of ["false", "true", "all"] as const)
    for (const more of [{ model: otherModel }, { model: "test/model" }, { status: "idle" }] as const)
      for (const limit of [100, 7]) {
        const filter = { archived, ...more };
        const pages = await pagesOf(world, { limit, ...filter });
        expect(pages.flat()).toEqual(made.filter((one) => fits(one, filter)).map(({ id }) => id));
        expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit);
      }
});

test("list skips damaged records without gaps or duplicates", async () => {
  const storage = createMemoryStorage();
  const made = await fill(storage, 300, (index) => index < 30);
  await using world = await createWorld({ storage, isStarting: true });
  const damaged = made.filter((_, index) => index % 4 === 0).map(({ id }) => id);
  for (const id of damaged) await putStored(storage, `conversation:${id}`, 7);
  const readable = made.filter(({ id }) => !damaged.includes(id));

  for (const limit of [1, 2, 5]) {
    const all = await pagesOf(world, { limit, archived: "all" });
    const archived = await pagesOf(world, { limit, archived: "true" });
    expect(all.flat()).toEqual(readable.map(({ id }) => id));
    expect(archived.flat()).toEqual(readable.filter((one) => one.archived).map(({ id }) => id));
  }
});

const rareFilters = [
  { archived: "true" },
  { model: otherModel },
  { model: otherModel, archived: "all" },
  { model: otherModel, archived: "true" },
  { model: "test/none", archived: "all" },
  { status: "waiting" },
  { status: "busy", archived: "all" },
  { status: "asking" },
] as const satisfies readonly Omit<ListQuery, "limit">[];

test("list returns few matches in one page, and search reads only them", async () => {
  const { storage, read } = counted(createMemoryStorage());
  const made = await fill(
    storage,
    3_000,
    (index) => index === 0 || index === 10,
    (index) => index % 1_000 === 10,
  );
  await using world = await createWorld({ storage, isStarting: true });
  for (const filter of rareFilters) {
    const expected = made.filter((one) => fits(one, filter));

    read.length = 0;
    const page = await world.conversations.list({ ...filter, limit: 10 });
    const listed = read.splice(0).reduce((sum, count) => sum + count, 0);
    const found = await world.conversations.search({ ...filter, q: "nothing", limit: 10 });
    const searched = read.reduce((sum, count) => sum + count, 0);

    expect(page.items.map(({ id }) => String(id))).toEqual(expected.map(({ id }) => id));
    expect(page.nextCursor).toBeUndefined();
    expect(found).toEqual({ items: [] });
    expect([listed, searched].map((count) => count < 150)).toEqual([true, true]);
  }
});

function fits(
  { archived: side, model: name }: Made,
  { archived = "false", model = name, status = "idle" }: Omit<ListQuery, "limit">,
): boolean {
  return (archived === "all" || side === (archived === "true")) && name === model && status === "idle";
}

for (const waitingTurns of [1, 1_200])
  test(`list reports conversations with waiting turns, with ${waitingTurns} waiting in one`, async () => {
    const memory = createMemoryStorage();
    const made = await fill(memory, 40, () => false);
    const waiting = [made[0]?.id ?? "", made[17]?.id ?? "", made[39]?.id ?? ""];
    const writes = waiting.flatMap((id, index) =>
      Array.from({ length: index === 1 ? waitingTurns : 1 }, () => {
        const turnId = Bun.randomUUIDv7();
        const value = { conversationId: id, turnId, state: "queued", request: { input: "later" } };
        return { kind: "set", namespace, key: `waiting:${id}:${turnId}`, value } as const;
      }),
    );
    const { storage, read } = counted(memory);
    await using world = await createWorld({ storage, isStarting: true });
    await memory.atomic([], writes); // Waiting, so that the host start does not run them.

    read.length = 0;
    const { items } = await world.conversations.list({ limit: 40, archived: "all" });
    const reads = read.length;

    expect(items.filter(({ status }) => status === "waiting").map(({ id }) => String(id))).toEqual(waiting);
    if (waitingTurns === 1) expect(reads).toBe(1 + 1 + 40);
    for (const limit of [1, 2, 10])
      expect((await pagesOf(world, { limit, status: "waiting" })).flat()).toEqual(waiting);
    const others = made.map(({ id }) => id).filter((id) => !waiting.includes(id));
    expect((await pagesOf(world, { limit: 7, status: "idle" })).flat()).toEqual(others);
  });

test("list and search by status use the current state", async () => {
  await using world = await createWorld({ tools: [newTool("write")] });
  const { conversations, scripts } = world;
  const create = async (): Promise<ConversationId> => (await conversations.create({ title: "Needle" })).id;
  const begin = async (id: ConversationId, script: (typeof scripts)[number], shown: TurnEvent["type"]) => {
    scripts.push(script);
    const { afterSeq } = await conversations.send(id, { input: "go" });
    await until(conversations.follow(id, { afterSeq }), shown);
  };
  const having = async (status: StatusFilter, filter: Partial<ListQuery> = {}): Promise<unknown> => {
    const pages = await pagesOf(world, { limit: 1, status, ...filter });
    const found = await conversations.search({ q: "needle", limit: 10, status, ...filter });
    expect(found.items.map(({ conversation }) => String(conversation.id))).toEqual(pages.flat());
    return pages.flat();
  };
  const [idle, running, asking, compacting] = [await create(), await create(), await create(), await create()];
  await world.turn(compacting, "Hello");
  await begin(running, stall, "text-delta");
  await begin(asking, callOne("write", "{}", "0"), "approval-request");
  const modelAsked = Promise.withResolvers<void>();
  scripts.push((request) => {
    modelAsked.resolve();
    return stall(request);
  });
  const compacted = conversations.compact(compacting).catch(() => undefined);
  await modelAsked.promise;

  expect(await having("idle")).toEqual([idle]);
  expect(await having("running")).toEqual([asking, running]);
  expect(await having("compacting")).toEqual([compacting]);
  expect(await having("busy")).toEqual([compacting, asking, running]);
  expect(await having("asking")).toEqual([asking]);
  expect(await having("waiting")).toEqual([]);
  expect(await having("busy", { model: "test/model" })).toEqual([compacting, asking, running]);
  expect(await having("busy", { model: "test/mod" })).toEqual([]);
  await conversations.update(asking, { archived: true });
  expect(await having("running")).toEqual([running]);
  expect(await having("asking", { archived: "true" })).toEqual([asking]);
  const ended = until(conversations.follow(running, {}), "turn-end");
  for (const id of [running, compacting]) await conversations.stop(id);
  await Promise.all([ended, compacted, conversations.delete(asking)]);
  expect(await having("busy", { archived: "all" })).toEqual([]);
  expect(await having("idle")).toEqual([compacting, running, idle]);
});

async function putNewer(storage: StorageDriver, id: string, record: JsonValue, archived: boolean): Promise<void> {
  const writes = Array.from({ length: 150 }, (_, index) => {
    const newer = `${id.slice(0, 8)}-ffff-7${index.toString(16).padStart(3, "0")}${id.slice(18)}`;
    const value = { ...Object(record), id: newer, archived };
    return { kind: "set", namespace, key: `conversation:${newer}`, value } as const;
  });
  await storage.atomic([], writes);
}

test("the index follows create, archive, unarchive, fork, import and delete", async () => {
  await using source = await createWorld();
  const { id: exported } = await source.conversations.create({});
  const lines = await collect(source.conversations.exportLines(exported));
  const archivedLines = lines.map((line) =>
    line.type === "conversation" ? { ...line, value: { ...Object(line.value), archived: true } } : line,
  );
  await using world = await createWorld();
  const { conversations } = world;
  const create = async (): Promise<ConversationId> => (await conversations.create({})).id;
  const archive = (id: ConversationId, archived = true) => conversations.update(id, { archived });
  const [active, archived, twice, back, gone, goneArchived] = await Promise.all([
    create(),
    create(),
    create(),
    create(),
    create(),
    create(),
  ]);
  for (const id of [archived, twice, twice, back, goneArchived]) await archive(id);
  await archive(back, false);
  await world.turn(active, "Hello");
  await world.turn(archived, "Hello");
  await conversations.update(archived, { title: "Still archived" });
  const fork = await conversations.fork(archived, {});
  const imported = await conversations.importLines(linesFrom(archivedLines));
  for (const id of [gone, goneArchived]) await conversations.delete(id);
  const record = (await getStored(world.storage, `conversation:${active}`)) ?? null;
  const listed = async (filter: Partial<ListQuery>): Promise<readonly string[]> =>
    (await pagesOf(world, { limit: 100, ...filter })).flat().filter((id) => id.slice(9, 13) !== "ffff");

  await putNewer(world.storage, active, record, false);
  const allArchived = await listed({ archived: "true" });
  await putNewer(world.storage, active, record, true);
  const allActive = await listed({ archived: "false" });
  await putNewer(world.storage, active, { ...Object(record), model: otherModel }, true);
  const byModel = [];
  for (const filter of ["true", "false", "all"] as const)
    byModel.push(await listed({ model: "test/model", archived: filter }));

  expect(imported.archived).toBe(true);
  expect(allArchived).toEqual([archived, twice, imported.id].toSorted().toReversed());
  expect(allActive).toEqual([active, back, fork.id].toSorted().toReversed());
  const all = [...allArchived, ...allActive].toSorted().toReversed();
  expect(byModel).toEqual([allArchived, allActive, all]);
  const rows = (await listStored(world.storage, "index:")).map(({ key }) => key);
  expect(rows.length).toBe(all.length * 2);
});

test("delete removes index rows of an unreadable conversation", async () => {
  const storage = createMemoryStorage();
  const made = await fill(
    storage,
    4,
    (index) => index % 2 === 0,
    (index) => index > 1,
  );
  await using world = await createWorld({ storage, isStarting: true });
  const [kept, ...gone] = made;
  for (const { id } of gone) {
    await putStored(storage, `conversation:${id}`, 7);
    await world.conversations.delete(conversationIdSchema.parse(id));
  }

  const rows = await listStored(storage, "index:");
  expect(rows.map(({ key }) => key.slice(-36))).toEqual([kept?.id ?? "", kept?.id ?? ""]);
});
