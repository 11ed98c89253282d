import type { ArchivedFilter } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, type World } from "../testing/test-world.ts";

const namespace = "session-orchestrator/conversations";

/** So many conversations, those whose number `isArchived` likes archived, stored as they are; ids, newest first. */
async function fill(
  world: World,
  count: number,
  isArchived: (index: number) => boolean,
): Promise<readonly { readonly id: string; readonly archived: boolean }[]> {
  const { id: first } = await world.conversations.create({});
  const stored = await world.storage.get(namespace, `conversation:${first}`);
  const made = Array.from({ length: count }, (_, index) => ({
    id: Bun.randomUUIDv7("hex", world.clock.now() + index),
    archived: isArchived(index),
  }));
  await world.storage.atomic(
    [],
    [
      { kind: "delete", namespace, key: `conversation:${first}` },
      ...made.map((record) => {
        const value = { ...Object(stored?.value), ...record };
        return { kind: "set", namespace, key: `conversation:${record.id}`, value } as const;
      }),
    ],
  );
  return made.toReversed();
}

/** Every page until there is no cursor. */
async function pagesOf(
  world: World,
  query: { readonly limit: number; readonly archived?: ArchivedFilter },
): Promise<readonly (readonly string[])[]> {
  const pages = [];
  for (let cursor: string | undefined; ;) {
    const page = await world.conversations.list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
  }
}

test("list pages through conversations by every filter: each that fits once, newest first", async () => {
  await using world = await createWorld();
  const made = await fill(world, 200, (index) => index % 7 === 0 || (index > 30 && index < 160));
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

test("list with few that fit looks at a bounded number of others in each call, and goes on behind them", async () => {
  await using world = await createWorld();
  const made = await fill(world, 1_500, (index) => index === 0);

  const first = await world.conversations.list({ limit: 10, archived: "true" });
  const pages = await pagesOf(world, { limit: 10, archived: "true" });

  expect(first).toEqual({ items: [], nextCursor: made[999]?.id ?? "" });
  expect(pages).toEqual([[], [made[1_499]?.id ?? ""]]);
});

test("list leaves damaged records out, and neither skips nor repeats another for them", async () => {
  const storage = createMemoryStorage();
  await using world = await createWorld({ storage });
  const made = await fill(world, 30, (index) => index % 3 === 0);
  const damaged = made.filter((_, index) => index % 4 === 0).map(({ id }) => id);
  for (const id of damaged)
    await storage.atomic([], [{ kind: "set", namespace, key: `conversation:${id}`, value: 7 }]);
  const readable = made.filter(({ id }) => !damaged.includes(id));

  for (const limit of [1, 2, 5]) {
    const all = await pagesOf(world, { limit, archived: "all" });
    const archived = await pagesOf(world, { limit, archived: "true" });
    expect(all.flat()).toEqual(readable.map(({ id }) => id));
    expect(archived.flat()).toEqual(readable.filter((one) => one.archived).map(({ id }) => id));
  }
});
