import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
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

test("search() reads at most 2,000 records and a few more in one call, at most 50 at once", async () => {
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

  expect(calls).toHaveLength(3);
  expect(Math.max(...calls.flat())).toBeLessThanOrEqual(50);
  for (const read of calls) expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_002);
});
