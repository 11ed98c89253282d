import { defineExtension, type Storage } from "@incipit/kernel";
import { nothingSpent, type Spent } from "@incipit/schema";
import { FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { DaySpending } from "./day-spending.ts";

const dayMs = 86_400_000;

class World implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: Storage;
  readonly spending: DaySpending;
  readonly #stop: () => Promise<void>;

  private constructor(clock: FakeClock, storage: Storage, keptDays: number, stop: () => Promise<void>) {
    this.clock = clock;
    this.storage = storage;
    this.spending = new DaySpending({ storage, clock, timeZone: "Europe/Berlin", keptDays });
    this.#stop = stop;
  }

  static async start(keptDays = 0): Promise<World> {
    const clock = new FakeClock(Date.UTC(2026, 0, 1, 21, 30));
    const given = Promise.withResolvers<Storage>();
    const manifest = { id: "acme.counts", version: "1.0.0", api: "^1", capabilities: { storage: true } } as const;
    const extension = defineExtension(manifest, (host) => given.resolve(host.storage("counts")));
    const started = await startExtension(extension, { clock });
    return new World(clock, await given.promise, keptDays, async () => started[Symbol.asyncDispose]());
  }

  async count(spent: Partial<Spent>, ids?: readonly string[]): Promise<string> {
    const { checks, writes } = await this.spending.count({ ...nothingSpent, ...spent }, ids);
    return (await this.storage.atomic(checks, writes)).kind;
  }

  async keys(): Promise<readonly string[]> {
    return (await this.storage.list({ prefix: "" }, z.unknown())).map(({ key }) => key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

test("count() adds to the total and in equal shares to ids; unpriced calls count for each", async () => {
  await using world = await World.start();

  await world.count({ tokens: 7, usd: 0.5, unpriced: 1 }, ["a", "b"]);
  await world.count({ tokens: 10 }, ["b"]);
  await world.count({ tokens: 1, usd: 0.25 });

  const used = await Promise.all([undefined, "a", "b", "c"].map((id) => world.spending.used(id)));
  expect(used).toEqual([
    { tokens: 18, usd: 0.75, unpriced: 1 },
    { tokens: 4, usd: 0.25, unpriced: 1 },
    { tokens: 14, usd: 0.25, unpriced: 1 },
    { tokens: 0, usd: 0, unpriced: 0 },
  ]);
});

test("used() resets at midnight in the zone, and the next count deletes older days", async () => {
  await using world = await World.start();
  await world.storage.set("other", 1);
  await world.count({ tokens: 7 }, ["a"]);
  await world.clock.advance(dayMs);
  await world.count({ tokens: 3 }, ["b"]);

  await world.clock.advance(5_400_000 - 1);
  const before = await world.spending.used();
  await world.clock.advance(1);

  const used = [before, await world.spending.used(), await world.spending.used("b")];
  expect(used.map(({ tokens }) => tokens)).toEqual([3, 0, 0]);
  expect(await world.keys()).toEqual(["other", "tokens/2026-01-02/", "tokens/2026-01-02/b"]);
  await world.count({ tokens: 5 }, ["a"]);
  expect(await world.keys()).toEqual(["other", "tokens/2026-01-03/", "tokens/2026-01-03/a"]);
});

test("list() paginates the retained days, newest first", async () => {
  await using world = await World.start(1);
  for (const id of ["a", "b", "c"]) {
    await world.count({ tokens: 2 }, [id]);
    await world.clock.advance(dayMs);
  }

  const first = await world.spending.list({ cursor: undefined, limit: 3 });
  const rest = await world.spending.list({ cursor: first.at(-1)?.cursor, limit: 3 });

  expect([...first, ...rest].map(({ day, id, spent }) => `${day} ${id}: ${spent.tokens}`)).toEqual([
    "2026-01-03 c: 2",
    "2026-01-03 : 2",
    "2026-01-02 b: 2",
    "2026-01-02 : 2",
  ]);
});

test("count() returns a batch that conflicts with a concurrent count", async () => {
  await using world = await World.start();
  const { checks, writes } = await world.spending.count({ tokens: 7, usd: 0, unpriced: 0 });
  await world.count({ tokens: 1 });

  expect((await world.storage.atomic(checks, writes)).kind).toBe("conflict");
  expect((await world.spending.used()).tokens).toBe(1);
});

test("count() of zero usage writes nothing", async () => {
  await using world = await World.start();

  expect(await world.spending.count(nothingSpent, ["a"])).toEqual({ checks: [], writes: [] });
});
