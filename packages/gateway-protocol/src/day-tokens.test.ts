import { defineExtension, type Storage } from "@incipit/kernel";
import { FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { DayTokens } from "./day-tokens.ts";

const dayMs = 86_400_000;

class World implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: Storage;
  readonly tokens: DayTokens;
  readonly #stop: () => Promise<void>;

  private constructor(clock: FakeClock, storage: Storage, stop: () => Promise<void>) {
    this.clock = clock;
    this.storage = storage;
    this.tokens = new DayTokens({ storage, clock, timeZone: "Europe/Berlin" });
    this.#stop = stop;
  }

  /** In the storage that an extension is given, an hour and a half before midnight in Berlin. */
  static async start(): Promise<World> {
    const clock = new FakeClock(Date.UTC(2026, 0, 1, 21, 30));
    const given = Promise.withResolvers<Storage>();
    const manifest = { id: "acme.counts", version: "1.0.0", api: "^1", capabilities: { storage: true } } as const;
    const extension = defineExtension(manifest, (host) => given.resolve(host.storage("counts")));
    const started = await startExtension(extension, { clock });
    return new World(clock, await given.promise, async () => started[Symbol.asyncDispose]());
  }

  async count(tokens: number, ids?: readonly string[]): Promise<string> {
    const { checks, writes } = await this.tokens.count(tokens, ids);
    return (await this.storage.atomic(checks, writes)).kind;
  }

  async keys(): Promise<readonly string[]> {
    return (await this.storage.list({ prefix: "" }, z.unknown())).map(({ key }) => key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

test("count() adds to those of all, and in equal shares to those of each", async () => {
  await using world = await World.start();

  await world.count(7, ["a", "b"]);
  await world.count(10, ["b"]);
  await world.count(1);

  const used = await Promise.all([undefined, "a", "b", "c"].map((id) => world.tokens.used(id)));
  expect(used).toEqual([18, 4, 14, 0]);
});

test("used() begins anew at midnight in the zone, and the next count forgets the days before", async () => {
  await using world = await World.start();
  await world.storage.set("other", 1);
  await world.count(7, ["a"]);
  await world.clock.advance(dayMs);
  await world.count(3, ["b"]);

  await world.clock.advance(5_400_000 - 1);
  const before = await world.tokens.used();
  await world.clock.advance(1);

  expect([before, await world.tokens.used(), await world.tokens.used("b")]).toEqual([3, 0, 0]);
  expect(await world.keys()).toEqual(["other", "tokens/2026-01-02/", "tokens/2026-01-02/b"]);
  await world.count(5, ["a"]);
  expect(await world.keys()).toEqual(["other", "tokens/2026-01-03/", "tokens/2026-01-03/a"]);
});

test("count() gives a commit that conflicts when somebody has counted meanwhile", async () => {
  await using world = await World.start();
  const { checks, writes } = await world.tokens.count(7);
  await world.count(1);

  expect((await world.storage.atomic(checks, writes)).kind).toBe("conflict");
  expect(await world.tokens.used()).toBe(1);
});

test("count() of nothing writes nothing", async () => {
  await using world = await World.start();

  expect(await world.tokens.count(0, ["a"])).toEqual({ checks: [], writes: [] });
});
