import { cutAfter, type CutStorage, createMemoryStorage, FakeClock } from "@incipit/testkit";
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
