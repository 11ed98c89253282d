import { defineExtension, type Storage, type StorageBatch } from "@incipit/kernel";
import { nothingSpent, type Spent } from "@incipit/schema";
import { FakeClock, startExtension, type StartedExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import assert from "node:assert/strict";
import * as z from "zod";
import { Budget, budgetReason } from "./budget.ts";
import { agentSpendingId, heartbeatId, scheduleSpendingId, SpendingLedger, totalId } from "./spending-ledger.ts";

const dayMs = 86_400_000;

const [a, b] = ["a", "b"].map(scheduleSpendingId);
if (a === undefined || b === undefined) throw new Error("There are two");

class World implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: Storage;
  readonly ledger: SpendingLedger;
  readonly #started: StartedExtension;

  private constructor(clock: FakeClock, storage: Storage, started: StartedExtension) {
    this.clock = clock;
    this.storage = storage;
    this.ledger = new SpendingLedger({ storage, clock, zoneOf: () => "Europe/Berlin" });
    this.#started = started;
  }

  static async start(): Promise<World> {
    const clock = new FakeClock(Date.UTC(2026, 0, 1, 21, 30));
    const given = Promise.withResolvers<Storage>();
    const manifest = { id: "acme.counts", version: "1.0.0", api: "^1", capabilities: { storage: true } } as const;
    const extension = defineExtension(manifest, (host) => given.resolve(host.storage("counts")));
    const started = await startExtension(extension, { clock });
    return new World(clock, await given.promise, started);
  }

  async count(spent: Partial<Spent>, ...shared: readonly string[]): Promise<string> {
    return this.commit(await this.ledger.count({ ...nothingSpent, ...spent }, { shared }));
  }

  async commit(batch: StorageBatch): Promise<string> {
    return (await this.storage.atomic([], [], { join: [batch] })).kind;
  }

  async keys(): Promise<readonly string[]> {
    return (await this.storage.list({ prefix: "" }, z.unknown())).map(({ key }) => key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started[Symbol.asyncDispose]();
  }
}

test("count() adds to the total and in equal shares to ids; unpriced calls count for each", async () => {
  await using world = await World.start();
  const agent = agentSpendingId("clerk");

  await world.count({ tokens: 7, usd: 0.5, unpriced: 1 }, a, b);
  await world.commit(await world.ledger.count({ ...nothingSpent, tokens: 10 }, { shared: [b], whole: [agent] }));
  await world.count({ tokens: 1, usd: 0.25 }, heartbeatId);

  const used = await Promise.all([totalId, a, b, agent, "c"].map((id) => world.ledger.used(id)));
  expect(used).toEqual([
    { tokens: 18, usd: 0.75, unpriced: 1 },
    { tokens: 4, usd: 0.25, unpriced: 1 },
    { tokens: 14, usd: 0.25, unpriced: 1 },
    { tokens: 10, usd: 0, unpriced: 0 },
    { tokens: 0, usd: 0, unpriced: 0 },
  ]);
});

test("used() resets at midnight in the zone, and a count deletes days after 31 of them", async () => {
  await using world = await World.start();
  await world.storage.set("other", 1);
  await world.count({ tokens: 7 }, a);
  await world.clock.advance(dayMs);
  await world.count({ tokens: 3 }, b);

  await world.clock.advance(5_400_000 - 1);
  const before = await world.ledger.used(totalId);
  await world.clock.advance(1);

  const used = [before, await world.ledger.used(totalId), await world.ledger.used(b)];
  expect(used.map(({ tokens }) => tokens)).toEqual([3, 0, 0]);
  await world.clock.advance(30 * dayMs);
  await world.count({ tokens: 5 }, a);
  expect(await world.keys()).toEqual([
    "other",
    "spent/2026-01-02/",
    "spent/2026-01-02/schedule b",
    "spent/2026-02-02/",
    "spent/2026-02-02/schedule a",
  ]);
});

test("count() returns a batch that conflicts with a concurrent count", async () => {
  await using world = await World.start();
  const batch = await world.ledger.count({ ...nothingSpent, tokens: 7 }, { shared: [a] });
  await world.count({ tokens: 1 }, a);

  expect(await world.commit(batch)).toBe("conflict");
  expect((await world.ledger.used(totalId)).tokens).toBe(1);
});

test("count() of zero usage writes nothing", async () => {
  await using world = await World.start();
  await world.count({}, a);

  expect(await world.keys()).toEqual([]);
});

function budgetOf(world: World, bounds: { readonly maxUsdPerDay: number | null }): Budget {
  const missing = { current: undefined, get: () => assert.fail("It is not asked"), onChange: () => () => {} };
  return new Budget({
    ledger: world.ledger,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    chats: missing,
    conversations: missing,
    profiles: missing,
    defaults: { profiles: [], cwd: "/work" },
    timeZone: "Europe/Berlin",
    maxTokensPerDay: null,
    ...bounds,
  });
}

test("costs() pages through the days of schedules and the heartbeat, newest first", async () => {
  await using world = await World.start();
  const budget = budgetOf(world, { maxUsdPerDay: null });
  await world.count({ tokens: 10, usd: 0.5 }, a, b);
  await world.clock.advance(dayMs);
  await world.count({ tokens: 7, unpriced: 1 }, heartbeatId);

  const first = await budget.costs({ limit: 3 });
  const rest = await budget.costs({ cursor: first.nextCursor, limit: 3 });

  expect([...first.items, ...rest.items]).toEqual([
    { day: "2026-01-02", schedule: null, tokens: 7, usd: 0, unpriced: 1 },
    { day: "2026-01-01", schedule: "b", tokens: 5, usd: 0.25, unpriced: 0 },
    { day: "2026-01-01", schedule: "a", tokens: 5, usd: 0.25, unpriced: 0 },
  ]);
  expect((await budget.get()).today).toEqual({ tokens: 7, usd: 0, unpriced: 1 });
});

test("whySpent() names only a reached limit and resets the next day", async () => {
  await using world = await World.start();
  const [without, budget] = [null, 0.5].map((maxUsdPerDay) => budgetOf(world, { maxUsdPerDay }));
  await world.count({ usd: 0.3 }, heartbeatId);

  const below = [await without?.whySpent([]), await budget?.whySpent([])];
  await world.count({ usd: 0.3 }, heartbeatId);
  const reached = await budget?.whySpent([]);

  expect([...below, await without?.whySpent([])]).toEqual([undefined, undefined, undefined]);
  expect(reached).toEqual({
    key: " 2026-01-01",
    error: {
      code: "BUDGET_SPENT",
      message:
        "Autonomous runs have cost $0.60 today, and unattended.max_usd_per_day allows $0.50; it continues tomorrow",
    },
  });
  await world.clock.advance(dayMs);
  expect(await budget?.whySpent([])).toBeUndefined();
});

const bounds = {
  what: "The heartbeat has",
  tokens: { max: 100, key: "heartbeat.max_tokens_per_day" },
  usd: { max: 0.5, key: "heartbeat.max_usd_per_day" },
};

test("budgetReason returns undefined below the limits, and without limits", () => {
  const none = { ...bounds, tokens: { ...bounds.tokens, max: null }, usd: { ...bounds.usd, max: null } };

  expect(budgetReason({ tokens: 99, usd: 0.49, unpriced: 3 }, bounds)).toBeUndefined();
  expect(budgetReason({ tokens: 1e9, usd: 1e6, unpriced: 0 }, none)).toBeUndefined();
});

test("budgetReason names the usage, the limit and its key, and calls without a price", () => {
  expect(budgetReason({ ...nothingSpent, tokens: 100 }, bounds)).toBe(
    "The heartbeat has used 100 tokens today, and heartbeat.max_tokens_per_day allows 100; it continues tomorrow",
  );
  expect(budgetReason({ tokens: 1, usd: 0.5123, unpriced: 0 }, bounds)).toBe(
    "The heartbeat has cost $0.51 today, and heartbeat.max_usd_per_day allows $0.50; it continues tomorrow",
  );
  expect(budgetReason({ tokens: 1, usd: 12, unpriced: 2 }, bounds)).toContain(
    "$12.00 today (2 calls have no known price, on top of that)",
  );
  expect(budgetReason({ tokens: 1, usd: 12, unpriced: 1 }, bounds)).toContain("(1 call has no known price, on");
});
