import type { NamespacedWrite } from "@incipit/kernel";
import { costsQuerySchema, type Cost, type CostsQuery } from "@incipit/schema";
import { modelCallsHandle } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { allPages, collect, createWorld, type World } from "../testing/test-world.ts";
import { conversationsNamespace, hookedStorage } from "../testing/hooked-storage.ts";

/** The test model uses one input and one output token. */
const prices = { input: 1_000_000, output: 1_000_000, cacheRead: null, cacheWrite: null };
const hourMs = 3_600_000;

async function pagesOf(world: World, query: Partial<CostsQuery> = {}): Promise<readonly (readonly Cost[])[]> {
  const pages = await allPages((cursor) => world.records.costs(costsQuerySchema.parse({ ...query, ...cursor })));
  return pages.map(({ items }) => items);
}

function callsIn(pages: readonly (readonly Cost[])[]): number {
  return pages.flat().reduce((sum, { calls }) => sum + calls, 0);
}

test("costs sums calls by day of the time zone and conversation, including stateless calls", async () => {
  await using world = await createWorld({ prices, startMs: Date.parse("2026-03-01T23:30:00.000Z") });
  const { id } = await world.ask("late in the evening");
  await world.clock.advance(hourMs);
  await world.turn(id, "after midnight");
  const request = {
    messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
    tools: [],
  };
  const calls = world.service(modelCallsHandle);
  await world.clock.advanceUntil(collect(calls.call(request, { signal: new AbortController().signal })));

  const [utc = []] = await pagesOf(world);
  const [berlin = []] = await pagesOf(world, { zone: "Europe/Berlin" });
  const [later = []] = await pagesOf(world, { since: "2026-03-02T00:00:00.000Z" });
  const [earlier = []] = await pagesOf(world, { until: "2026-03-02T00:00:00.000Z" });

  const conversation = { id, title: "late in the evening" };
  const one = {
    model: "test/model",
    conversation,
    calls: 1,
    broken: 0,
    tokens: { input: 1, cacheRead: 0, output: 1 },
    unreported: 0,
    usd: { total: 2, wasted: 0 },
    unpriced: 0,
  };
  expect(utc).toEqual([
    { day: "2026-03-02", ...one },
    { day: "2026-03-01", ...one },
    { day: "2026-03-02", ...one, conversation: null },
  ]);
  expect(berlin.map(({ day, calls: count }) => [day, count])).toEqual([
    ["2026-03-02", 2],
    ["2026-03-02", 1],
  ]);
  expect(later.map(({ day }) => day)).toEqual(["2026-03-02", "2026-03-02"]);
  expect(earlier.map(({ day }) => day)).toEqual(["2026-03-01"]);
});

test("costs reports the cost of cache breaks and calls without a price", async () => {
  await using priced = await createWorld({ prices, prompts: ["Be brief."] });
  await using unpriced = await createWorld({});
  for (const world of [priced, unpriced]) {
    const { id } = await world.ask("one");
    await world.turn(id, "two", { system: ["Another text."] });
  }

  const [[known] = []] = await pagesOf(priced);
  const [[unknown] = []] = await pagesOf(unpriced);

  expect(known).toMatchObject({ calls: 2, broken: 1, usd: { total: 4 }, unpriced: 0 });
  expect(unknown).toMatchObject({ calls: 2, usd: { total: 0, wasted: 0 }, unpriced: 2 });
});

test("costs scans a bounded number of calls per page and counts each once", async () => {
  const memory = createMemoryStorage();
  let read = 0;
  const storage = hookedStorage(
    { listed: (entries) => (read += entries.filter(({ key }) => /^(step|call):/.test(key)).length) },
    memory,
  );
  await using world = await createWorld({ storage, prices });
  const { id: original } = await world.conversations.create({});
  await world.turn(original, "hello");
  const [step] = await memory.list(conversationsNamespace, { prefix: `step:${original}:`, limit: 1 });
  const conversation = await memory.get(conversationsNamespace, `conversation:${original}`);
  const stepsOf = (id: string, count: number): readonly NamespacedWrite[] =>
    Array.from({ length: count }, (_, place) => {
      const stepId = Bun.randomUUIDv7("hex", world.clock.now() + 1 + place);
      const value = { ...Object(step?.value), id: stepId };
      return { kind: "set", namespace: conversationsNamespace, key: `step:${id}:${stepId}`, value };
    });
  const copies = Array.from({ length: 30 }, (_, index): readonly NamespacedWrite[] => {
    const id = Bun.randomUUIDv7("hex", world.clock.now() + 1 + index);
    const value = { ...Object(conversation?.value), id };
    return [
      { kind: "set", namespace: conversationsNamespace, key: `conversation:${id}`, value },
      ...stepsOf(id, index === 3 ? 5_000 : 60),
    ];
  });
  await memory.atomic([], copies.flat());

  const reads: number[] = [];
  const pages: (readonly Cost[])[] = [];
  for (let cursor: string | undefined; ;) {
    read = 0;
    const page = await world.records.costs(costsQuerySchema.parse({ cursor }));
    reads.push(read);
    pages.push(page.items);
    if (pages.length > 20) throw new Error("It goes on and on");
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }

  expect(Math.max(...reads)).toBeLessThanOrEqual(2_200);
  expect(pages.length).toBeGreaterThan(3);
  expect(callsIn(pages)).toBe(1 + 29 * 60 + 5_000);
});

test.each([{ zone: "Nowhere/Here" }, { cursor: "x" }, { cursor: "calls:1" }, { since: "yesterday" }])(
  "costsQuerySchema rejects %p",
  (query) => {
    expect(costsQuerySchema.safeParse(query).success).toBe(false);
  },
);
