import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { createWorld } from "../testing/test-world.ts";

const namespace = "session-orchestrator/conversations";

test("search() leaves a conversation out that is deleted while its messages are read", async () => {
  const memory = createMemoryStorage();
  const storage: StorageDriver = {
    ...memory,
    async list(where, range) {
      const entries = await memory.list(where, range);
      const id = /^message:([^:]+):$/.exec(range.start ?? "")?.[1];
      if (id !== undefined) await memory.atomic([], [{ kind: "delete", namespace, key: `conversation:${id}` }]);
      return entries;
    },
  };
  await using world = await createWorld({ storage });
  const { id } = await world.conversations.create({ title: "needle" });
  await world.turn(id, "needle");

  expect(await world.conversations.search({ q: "needle", limit: 10 })).toEqual({ items: [] });
});

test("search() reads at most 1,000 records and a few more in one call, at most 50 at once", async () => {
  const memory = createMemoryStorage();
  const pages: number[] = [];
  const storage: StorageDriver = {
    ...memory,
    async list(where, range) {
      const entries = await memory.list(where, range);
      pages.push(entries.length);
      return entries;
    },
  };
  await using world = await createWorld({ storage });
  const { id } = await world.conversations.create({});
  await world.turn(id, "hay");
  const [message] = await memory.list(namespace, { prefix: `message:${id}:`, limit: 1 });
  const copies = Array.from({ length: 5_000 }, (_, index) => {
    const key = `message:${id}:${String(index).padStart(12, "0")}`;
    return { kind: "set", namespace, key, value: message?.value ?? null } as const;
  });
  await memory.atomic([], copies);

  const calls: (readonly number[])[] = [];
  for (let cursor: string | undefined; ;) {
    pages.length = 0;
    const page = await world.conversations.search({
      q: "needle",
      limit: 10,
      ...(cursor === undefined ? {} : { cursor }),
    });
    calls.push([...pages]);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }

  expect(calls).toHaveLength(6);
  expect(Math.max(...calls.flat())).toBeLessThanOrEqual(50);
  for (const read of calls) expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_002);
});

test("search() reads about 1 Mi units of text in one call, and goes on in the next one with nothing left out", async () => {
  const memory = createMemoryStorage();
  await using world = await createWorld({ storage: memory });
  const { id } = await world.conversations.create({});
  await world.turn(id, "hay");
  const [message] = await memory.list(namespace, { prefix: `message:${id}:`, limit: 1 });
  const said = z.record(z.string(), z.json()).parse(message?.value);
  const copies = Array.from({ length: 12 }, (_, index) => {
    const key = `message:${id}:${String(index).padStart(12, "0")}`;
    const text = `${index === 0 ? "needle " : ""}${"hay ".repeat(65_536)}`; // 256 Ki units and a little.
    return { kind: "set", namespace, key, value: { ...said, parts: [{ type: "text", text }] } } as const;
  });
  await memory.atomic([], copies);

  const cursors: (string | undefined)[] = [];
  const found: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { q: "needle", limit: 10, ...(cursor === undefined ? {} : { cursor }) };
    const { items, nextCursor } = await world.conversations.search(query);
    found.push(...items);
    cursors.push((cursor = nextCursor));
    if (cursor === undefined) break;
  }

  const places = cursors.flatMap((cursor) =>
    cursor?.includes(":") === true ? [Number(cursor.split(":")[1])] : [],
  );
  expect(places).toEqual([8, 4]);
  expect(found).toHaveLength(1);
});
