import type { ConversationId } from "@incipit/schema";
import type { NamespacedWrite } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { allPages, createWorld } from "../testing/test-world.ts";
import { conversationsNamespace, deleteStored, hookedStorage } from "../testing/hooked-storage.ts";

test("search() skips a conversation deleted during the search", async () => {
  const memory = createMemoryStorage();
  const storage = hookedStorage(
    {
      listed: async (_, range) => {
        const id = /^message:([^:]+):~$/.exec(range.end ?? "")?.[1];
        if (id !== undefined) await deleteStored(memory, `conversation:${id}`);
      },
    },
    memory,
  );
  await using world = await createWorld({ storage });
  const { id } = await world.conversations.create({ title: "needle" });
  await world.turn(id, "needle");

  expect(await world.conversations.search({ q: "needle", limit: 10 })).toEqual({ items: [] });
});

test("search() batches reads of several conversations and attributes matches correctly", async () => {
  const memory = createMemoryStorage();
  let messageReads = 0;
  const readKeys: string[] = [];
  const storage = hookedStorage(
    {
      listed: (entries, range) => {
        if (range.end?.startsWith("message:") === true) messageReads += 1;
        readKeys.push(...entries.map(({ key }) => key));
      },
    },
    memory,
  );
  await using world = await createWorld({ storage });
  const { id: first } = await world.conversations.create({});
  await world.turn(first, "hay");
  const [message] = await memory.list(conversationsNamespace, { prefix: `message:${first}:`, limit: 1 });
  const said = z.record(z.string(), z.json()).parse(message?.value);
  const counts = Array.from({ length: 60 }, (_, index) => [0, 1, 2, 3, 15, 16, 17, 40][(index * 5) % 8] ?? 0);
  const ids: ConversationId[] = [];
  const writes: NamespacedWrite[] = [];
  for (const [index, count] of counts.entries()) {
    const { id } = await world.conversations.create({});
    ids.push(id);
    for (let place = 0; place < count; place += 1) {
      const text = `${place === index % 16 ? `needle${index} ` : ""}hay`;
      const isDamaged = index % 7 === 3 && place === 1;
      const value = isDamaged ? 7 : { ...said, parts: [{ type: "text", text }] };
      const key = `message:${id}:${String(place).padStart(12, "0")}`;
      writes.push({ kind: "set", namespace: conversationsNamespace, key, value });
    }
    // The state during a deletion.
    if (index % 9 === 5)
      writes.push({ kind: "delete", namespace: conversationsNamespace, key: `conversation:${id}` });
  }
  await memory.atomic([], writes);
  const isThere = (index: number): boolean =>
    index % 9 !== 5 && index % 16 < (counts[index] ?? 0) && !(index % 7 === 3 && index % 16 === 1);
  const expected = ids.flatMap((id, index) => (isThere(index) ? [{ id, snippet: `needle${index} hay` }] : []));
  const search = async (archived: "all" | "false"): Promise<unknown> => {
    const { items } = await world.conversations.search({ q: "needle", limit: 100, archived });
    return items.map(({ conversation: { id }, matches }) => ({ id, snippet: matches[0]?.snippet }));
  };

  messageReads = 0;
  const together = await search("all");
  const reads = messageReads;
  for (const id of ids.slice(20, 40))
    if (ids.indexOf(id) % 9 !== 5) await world.conversations.update(id, { archived: true });
  readKeys.length = 0;
  const apart = await search("false");
  const readInVain = ids.slice(20, 40).filter((id) => readKeys.some((key) => key.startsWith(`message:${id}:`)));

  expect(together).toEqual(expected.toReversed());
  expect(reads).toBeLessThan(counts.length);
  expect(readInVain.filter((id) => ids.indexOf(id) % 9 !== 5)).toEqual([]);
  expect(apart).toEqual(expected.filter(({ id }) => !ids.slice(20, 40).includes(id)).toReversed());
});

test("search() reads about 1,000 records per call, at most 50 at a time", async () => {
  const memory = createMemoryStorage();
  const pages: number[] = [];
  const storage = hookedStorage({ listed: (entries) => pages.push(entries.length) }, memory);
  await using world = await createWorld({ storage });
  const { id } = await world.ask("hay");
  const [message] = await memory.list(conversationsNamespace, { prefix: `message:${id}:`, limit: 1 });
  const copies = Array.from({ length: 5_000 }, (_, index) => {
    const key = `message:${id}:${String(index).padStart(12, "0")}`;
    return { kind: "set", namespace: conversationsNamespace, key, value: message?.value ?? null } as const;
  });
  await memory.atomic([], copies);

  const calls: (readonly number[])[] = [];
  await allPages(async (cursor) => {
    pages.length = 0;
    const page = await world.conversations.search({ q: "needle", limit: 10, ...cursor });
    calls.push([...pages]);
    return page;
  });

  expect(calls).toHaveLength(6);
  expect(Math.max(...calls.flat())).toBeLessThanOrEqual(50);
  for (const read of calls) expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_002);
});

test("search() reads about 1 Mi units of text per call and resumes without gaps", async () => {
  const memory = createMemoryStorage();
  await using world = await createWorld({ storage: memory });
  const { id } = await world.ask("hay");
  const [message] = await memory.list(conversationsNamespace, { prefix: `message:${id}:`, limit: 1 });
  const said = z.record(z.string(), z.json()).parse(message?.value);
  const copies = Array.from({ length: 12 }, (_, index) => {
    const key = `message:${id}:${String(index).padStart(12, "0")}`;
    const text = `${index === 0 ? "needle " : ""}${"hay ".repeat(65_536)}`;
    return {
      kind: "set",
      namespace: conversationsNamespace,
      key,
      value: { ...said, parts: [{ type: "text", text }] },
    } as const;
  });
  await memory.atomic([], copies);

  const found = await allPages((cursor) => world.conversations.search({ q: "needle", limit: 10, ...cursor }));

  const places = found.flatMap(({ nextCursor }) => nextCursor?.split(":").slice(1).map(Number) ?? []);
  expect(places).toEqual([8, 4]);
  expect(found.flatMap(({ items }) => items)).toHaveLength(1);
});
