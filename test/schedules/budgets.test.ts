import chats from "@incipit/messaging";
import { tenCents, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SchedulesWorld } from "./schedules-world.ts";

function serviceOfAda(): TestService {
  return new TestService({ settings: { people: ["ada"] } });
}

test("a daily USD limit stops a schedule until tomorrow and notifies its chat once", async () => {
  const service = serviceOfAda();
  await using world = await SchedulesWorld.start({ prices: tenCents, extensions: [chats, service.extension()] });
  await world.schedules.create({ id: "logs", task: "Look", every: "6h", tell: "test:ada", maxUsdPerDay: 0.15 });

  await world.minutes(24 * 60 - 1);
  const today = await world.schedules.get("logs");
  while (service.texts("ada").length < 1) await new Promise<void>((resolve) => setImmediate(resolve));
  await world.minutes(2);

  const runs = (await world.runs("logs")).toReversed();
  expect(runs.map(({ status, usd }) => [status, usd])).toEqual([
    ["completed", expect.closeTo(0.1)],
    ["completed", expect.closeTo(0.1)],
    ["skipped", 0],
    ["completed", expect.closeTo(0.1)],
  ]);
  expect(today).toMatchObject({ usdToday: expect.closeTo(0.2), unpricedToday: 0, tokensToday: 20 });
  expect(service.texts("ada")).toEqual([
    'The schedule "logs" has cost $0.20 today, and maxUsdPerDay of "logs" allows $0.15; it continues tomorrow',
  ]);
});

test("a call without a price is counted, shown and logged, and limited by tokens", async () => {
  await using world = await SchedulesWorld.start({ cron: { max_usd_per_day: 0.01, max_tokens_per_day: 20 } });
  await world.schedules.create({ id: "logs", task: "Look", every: "1h" });

  await world.minutes(181);

  expect((await world.runs("logs")).map(({ status, usd, unpriced }) => [status, usd, unpriced])).toEqual([
    ["skipped", 0, 0],
    ["completed", 0, 1],
    ["completed", 0, 1],
  ]);
  expect(await world.schedules.get("logs")).toMatchObject({ usdToday: 0, unpricedToday: 2 });
  expect(world.logs).toContain("warn A schedule has made calls of which no price is known");
});

test("one shared limit stops the heartbeat and all schedules for the day, with one message", async () => {
  const service = serviceOfAda();
  await using world = await SchedulesWorld.start({
    prices: tenCents,
    extensions: [chats, service.extension()],
    unattended: { max_usd_per_day: 0.25 },
    heartbeat: { every: "1h", tell: "test:ada" },
  });
  for (const id of ["a", "b"])
    await world.schedules.create({ id, task: "Look", cron: "30 * * * *", tell: "test:ada" });

  await world.minutes(300);

  // 00:30 a and b, 01:00 the heartbeat: thirty cents.
  const asked = world.asked.map((text) => text.slice(0, 10)).toSorted();
  expect(asked).toEqual(["[CRON:a] L", "[CRON:b] L", "[HEARTBEAT"]);
  expect((await world.runs("a")).map(({ status }) => status)).toEqual([
    "skipped",
    "skipped",
    "skipped",
    "skipped",
    "completed",
  ]);
  expect(await world.heartbeat.get()).toMatchObject({
    lastWake: { outcome: "budget" },
    usdToday: expect.closeTo(0.1),
  });
  expect(service.texts("ada")).toEqual([
    "Autonomous runs have cost $0.30 today, and unattended.max_usd_per_day allows $0.25; it continues tomorrow",
  ]);
  expect(await world.unattended.get()).toEqual({
    timeZone: "UTC",
    maxTokensPerDay: null,
    maxUsdPerDay: 0.25,
    today: { tokens: 30, usd: expect.closeTo(0.3), unpriced: 0 },
  });
  const { items } = await world.unattended.costs({ limit: 10 });
  expect(items.map(({ day, schedule, tokens }) => [day, schedule, tokens])).toEqual([
    ["2026-01-01", "b", 10],
    ["2026-01-01", "a", 10],
    ["2026-01-01", null, 10],
  ]);
});

test("an agent's budget stops its own schedules and heartbeat for the day, and no others", async () => {
  const service = serviceOfAda();
  await using world = await SchedulesWorld.start({
    prices: tenCents,
    profiles: [{ name: "clerk", budget: { maxUsdPerDay: 0.25, maxTokensPerDay: null } }],
    extensions: [chats, service.extension()],
    heartbeat: { every: "1h", profile: "clerk" },
  });
  const { id: conversation } = await world.conversations.create({ profile: "clerk" });
  const hourly = { task: "Look", cron: "30 * * * *" };
  await world.schedules.create({ id: "own", ...hourly, profile: "clerk", tell: "test:ada" });
  await world.schedules.create({ id: "there", ...hourly, conversation });
  await world.schedules.create({ id: "other", ...hourly });

  await world.minutes(200);

  const [own, there, other] = await Promise.all(["own", "there", "other"].map((id) => world.runs(id)));
  const statusOf = (runs: typeof own): unknown => runs?.map(({ status }) => status);
  expect([statusOf(own), statusOf(there), statusOf(other)]).toEqual([
    ["skipped", "skipped", "completed"],
    ["skipped", "skipped", "completed"],
    ["completed", "completed", "completed"],
  ]);
  expect(await world.heartbeat.get()).toMatchObject({ lastWake: { outcome: "budget" } });
  expect(service.texts("ada")).toEqual([
    'Without you, the agent "clerk" has cost $0.30 today, and its budget (max_usd_per_day) allows $0.25; it continues tomorrow',
  ]);
  await world.schedules.run("own");
  await world.rest();
  expect((await world.runs("own"))[0]?.status).toBe("completed");
  const { items } = await world.unattended.costs({ limit: 10 });
  expect(new Set(items.map(({ schedule }) => schedule))).toEqual(new Set([null, "other", "own", "there"]));
  await world.minutes(24 * 60 - 200 + 31);
  expect((await world.runs("own"))[0]?.status).toBe("completed");
});

test("a limit counts claimed runs: of 100 due together, few reach the model", async () => {
  await using world = await SchedulesWorld.start({ prices: tenCents, cron: { max_usd_per_day: 0.15 } });
  for (let index = 0; index < 100; index += 1)
    await world.schedules.create({ id: `s${index}`, task: "Look", cron: "0 * * * *" });

  await world.minutes(61);

  expect(world.asked.length).toBeLessThan(20);
  const status = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => (await world.runs(`s${index}`))[0]?.status),
  );
  expect(status.filter((one) => one === "completed")).toHaveLength(world.asked.length);
  expect(status.filter((one) => one === "skipped")).toHaveLength(100 - world.asked.length);
});

test("a run started by a user ignores the limit and is counted", async () => {
  await using world = await SchedulesWorld.start({ prices: tenCents, cron: { max_usd_per_day: 0.05 } });
  await world.schedules.create({ id: "logs", task: "Look", every: "1h" });
  await world.minutes(61);

  await world.schedules.run("logs");
  await world.rest();

  expect(world.asked).toHaveLength(2);
  expect((await world.schedules.get("logs")).usdToday).toBeCloseTo(0.2);
});
