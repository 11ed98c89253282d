import chats from "@incipit/messaging";
import { createMemoryStorage, cutAfter, FakeClock, tenCents, TestService, type CutStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SchedulesWorld } from "./schedules-world.ts";

const most = 200;

async function live(storage: CutStorage): Promise<boolean> {
  const clock = new FakeClock();
  const world = await SchedulesWorld.start({ storage, clock, killed: storage.cut });
  const story = async (): Promise<void> => {
    await world.schedules.create({ id: "own", task: "Own", cron: "0 * * * *", missed: "all" });
    await world.schedules.create({
      id: "fresh",
      task: "Fresh",
      cron: "0 * * * *",
      missed: "all",
      conversation: "fresh",
    });
    await world.minutes(121);
  };
  await Promise.race([story(), storage.cut]);
  void world[Symbol.asyncDispose]();
  return !storage.isCut();
}

test("a kill at any commit: no time of a schedule is run twice or lost", async () => {
  const wrong: unknown[] = [];
  for (let commits = 3; commits < most; commits += 1) {
    const storage = createMemoryStorage();
    const isWhole = await live(cutAfter(storage, commits));

    await using world = await SchedulesWorld.start({
      storage,
      clock: new FakeClock(Date.parse("2026-01-01T02:30:00Z")),
    });
    const made = (await world.schedules.list({ limit: 10 })).items.map(({ id }) => id);
    await world.rest();
    const found = await world.said();
    const conversations = await world.conversations.list({ limit: 1_000, archived: "all" });
    const expected = made.flatMap((id) =>
      id === "own" ? ["[CRON:own] Own", "[CRON:own] Own"] : ["[CRON:fresh] Fresh", "[CRON:fresh] Fresh"],
    );
    const lines = found.flatMap((message) => message.split("\n"));
    const wanted = made.includes("fresh") ? 3 : made.length;
    if (String(lines.toSorted()) !== String(expected.toSorted()) || conversations.items.length !== wanted)
      wrong.push({ commits, lines, conversations: conversations.items.length, made });
    if (isWhole) {
      expect(commits).toBeGreaterThan(30);
      expect(wrong).toEqual([]);
      return;
    }
  }
  throw new Error(`The story takes more than ${most} commits`);
}, 120_000);

for (const conversation of ["daily", "fresh"] as const)
  test(`a kill at any commit: wakes (${conversation}) are not repeated, told once and counted once`, async () => {
    const wrong: unknown[] = [];
    for (let commits = 2; ; commits += 1) {
      const service = new TestService({ settings: { people: ["ada"] } });
      const whole = createMemoryStorage();
      const storage = cutAfter(whole, commits);
      const options = {
        heartbeat: { conversation, tell: "test:ada" },
        answer: (text: string) => (text.includes("00:30") ? "HEARTBEAT_OK" : "The disk is full."),
        prices: tenCents,
        extensions: [chats, service.extension()],
      };
      const story = (async () => {
        const world = await SchedulesWorld.start({ ...options, storage, killed: storage.cut });
        await world.minutes(61);
      })();
      await Promise.race([story, storage.cut]);
      const isWhole = !storage.isCut();

      const clock = new FakeClock(Date.UTC(2026, 0, 1, 1, 10));
      await using world = await SchedulesWorld.start({ ...options, storage: whole, clock });
      await world.rest();
      const { items } = await world.conversations.list({ limit: 10, archived: "all" });
      const wakes = await world.wakes();
      const dues = wakes.map(({ dueAt }) => dueAt);
      const said = await world.said();
      const alerts = wakes.filter(({ outcome }) => outcome === "alert");
      const usd = wakes.reduce((sum, wake) => sum + wake.usd, 0);
      const counted = [(await world.heartbeat.get()).usdToday, (await world.unattended.get()).today.usd];
      const isRight =
        items.length <= (conversation === "fresh" ? said.length : 1) &&
        new Set(dues).size === dues.length &&
        new Set(said).size === said.length &&
        said.length === wakes.filter(({ turnId }) => turnId !== null).length &&
        wakes.every((wake) => wake.outcome !== null) &&
        (await world.outbox()).length === alerts.length &&
        service.texts("ada").length <= alerts.length &&
        counted.every((sum) => Math.abs(sum - usd) < 1e-9);
      if (!isRight) wrong.push({ commits, conversations: items.length, wakes, counted });
      if (isWhole) {
        expect(commits).toBeGreaterThan(15);
        expect(alerts).toHaveLength(1);
        break;
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);
