import { defineExtension, type Storage } from "@incipit/kernel";
import { unattendedHandle, type UnattendedService, type AutonomousTurn } from "@incipit/service-contract";
import { FakeClock, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

const clockAtNoon = (): FakeClock => new FakeClock(Date.UTC(2026, 0, 1, 12));

async function start(
  scope: AsyncDisposableStack,
  config: Readonly<Record<string, string | number>>,
  clock: FakeClock = clockAtNoon(),
): Promise<{ readonly service: UnattendedService; readonly count: (turn: AutonomousTurn) => Promise<string> }> {
  const given = Promise.withResolvers<Storage>();
  const manifest = { id: "acme.counts", version: "1.0.0", api: "^1", capabilities: { storage: true } } as const;
  const counts = defineExtension(manifest, (host) => given.resolve(host.storage("counts")));
  const unattended = { time_zone: "UTC", ...config };
  const started = scope.use(await startExtension([extension, counts], { clock, config: { unattended } }));
  const service = started.service(unattendedHandle);
  const storage = await given.promise;
  return {
    service,
    count: async (turn) => (await storage.atomic([], [], { join: [await service.count(turn)] })).kind,
  };
}

test("costs() lists spending by day, newest first, and get() returns today's sum", async () => {
  await using scope = new AsyncDisposableStack();
  const clock = clockAtNoon();
  const { service, count } = await start(scope, {}, clock);

  await count({ tokens: 10, usd: 0.5, unpriced: 0, schedules: ["logs", "site"] });
  await clock.advance(86_400_000);
  await count({ tokens: 7, usd: 0, unpriced: 1, schedules: [] });

  expect(await service.costs({ limit: 10 })).toEqual({
    items: [
      { day: "2026-01-02", schedule: null, tokens: 7, usd: 0, unpriced: 1 },
      { day: "2026-01-01", schedule: "site", tokens: 5, usd: 0.25, unpriced: 0 },
      { day: "2026-01-01", schedule: "logs", tokens: 5, usd: 0.25, unpriced: 0 },
    ],
  });
  expect((await service.get()).today).toEqual({ tokens: 7, usd: 0, unpriced: 1 });
});

test("whySpent() names only a reached limit and resets the next day", async () => {
  await using scope = new AsyncDisposableStack();
  const clock = clockAtNoon();
  const without = await start(scope, {});
  const { service, count } = await start(scope, { max_usd_per_day: 0.5, max_tokens_per_day: 1_000 }, clock);
  const turn = { tokens: 10, usd: 0.3, unpriced: 0, schedules: [] };
  await without.count({ ...turn, usd: 1_000 });

  const below = [await service.whySpent(), await without.service.whySpent()];
  await count(turn);
  await count(turn);
  const reached = await service.whySpent();
  await clock.advance(86_400_000);

  expect(below).toEqual([undefined, undefined]);
  expect(reached).toEqual({
    key: "2026-01-01",
    message:
      "What ran without you has cost $0.60 today, and unattended.max_usd_per_day allows $0.50; it goes on tomorrow",
  });
  expect(await service.whySpent()).toBeUndefined();
});
