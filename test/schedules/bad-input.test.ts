import { parseConfig } from "@incipit/host-bin";
import type { StorageDriver } from "@incipit/kernel";
import { fillableDisk, sampleCount, type FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { namespace, SchedulesWorld } from "./schedules-world.ts";

async function passing(clock: FakeClock, minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 1) await clock.advance(60_000);
}

test("an invalid expression, interval, zone or tool of a job fails the start", () => {
  const text = `[cron.jobs.logs]
task = "Look"
cron = "61 * * * *"
time_zone = "Mars/Base"
tools = ["read file"]

[cron.jobs.pulse]
task = "Look"
every = "15 minutes"
`;
  let refusal = "";
  try {
    parseConfig(text, "incipit.toml");
  } catch (error) {
    refusal = String(error);
  }

  for (const place of [
    /incipit\.toml:3: key "cron\.jobs\.logs\.cron" is not a valid cron expression: "61" is not a valid minute/,
    /incipit\.toml:4: key "cron\.jobs\.logs\.time_zone" must be a time zone/,
    /incipit\.toml:5: key "cron\.jobs\.logs\.tools"/,
    /incipit\.toml:9: key "cron\.jobs\.pulse\.every" is not an interval/,
  ])
    expect(refusal).toMatch(place);
});

async function copySchedule(storage: StorageDriver, id: string, copies: readonly string[]): Promise<void> {
  const schedule = await storage.get(namespace, `schedule/${id}`);
  const [due] = await storage.list(namespace, { prefix: "due/", limit: 1 });
  if (schedule === undefined || due === undefined) throw new Error("There is nothing to be copied");
  const writes = copies.flatMap((copy) => [
    {
      kind: "set",
      namespace,
      key: `schedule/${copy}`,
      value: JSON.parse(JSON.stringify(schedule.value).replaceAll(`"${id}"`, `"${copy}"`)),
    } as const,
    { kind: "set", namespace, key: due.key.replace(id, copy), value: due.value } as const,
  ]);
  await storage.atomic([], writes);
}

test("10,000 schedules due together run once each, and users still get answers", async () => {
  await using world = await SchedulesWorld.start();
  const { id: conversation } = await world.conversations.create({});
  const ids = Array.from({ length: sampleCount(10_000) }, (_, index) => `s${index}`);
  await world.schedules.create({ id: "s0", task: "Look", at: "2026-01-01T00:30", conversation });
  await copySchedule(world.storage, "s0", ids.slice(1));
  const own = Array.from({ length: 30 }, (_, index) => `own${index}`);
  for (const id of own) await world.schedules.create({ id, task: "Look", at: "2026-01-01T00:30" });

  await world.clock.advance(30 * 60_000);
  const person = await world.conversations.create({});
  const { turnId, afterSeq } = await world.conversations.send(person.id, { input: "Hello" });
  for await (const { type } of world.conversations.follow(person.id, { turnId, afterSeq }))
    if (type === "turn-end") break;
  const before = world.asked.length;
  await world.rest();

  const lines = world.asked.flatMap((text) => text.split("\n"));
  expect(lines.toSorted()).toEqual(["Hello", ...[...own, ...ids].map((id) => `[CRON:${id}] Look`)].toSorted());
  expect(world.asked.length).toBeLessThanOrEqual(ids.length / 100 + own.length + 11);
  expect(before).toBeLessThan(world.asked.length);
  expect(world.clock.pending).toBeLessThan(10);
}, 120_000);

test("a model that calls tools endlessly is stopped, and wake and run report it", async () => {
  const answer = () => ({ call: { name: "heartbeat_respond", input: '{"notify":false}' }, say: null });
  await using world = await SchedulesWorld.start({ heartbeat: {}, answer });
  await world.schedules.create({ id: "look", task: "Look", every: "20m" });

  await world.minutes(31);

  expect(await world.wakes()).toMatchObject([{ outcome: "failed", error: { code: "MAX_STEPS" } }]);
  expect(await world.runs("look")).toMatchObject([{ status: "failed", error: { code: "MAX_STEPS" } }]);
}, 300_000);

test("a schedule run fails without a reply, and is quiet only with a final HEARTBEAT_OK", async () => {
  const replies = [
    "",
    "HEARTBEAT_OK\nbut the disk is full",
    "The disk is full: no HEARTBEAT_OK today",
    "All is well. **HEARTBEAT_OK**",
  ];
  await using world = await SchedulesWorld.start({ answer: () => replies.shift() ?? "HEARTBEAT_OK" });
  await world.schedules.create({ id: "look", task: "Look", every: "15m" });

  await world.minutes(61);

  const runs = (await world.runs("look")).toReversed();
  expect(runs.map(({ status, quiet, reply }) => [status, quiet, reply])).toEqual([
    ["failed", false, ""],
    ["completed", false, "HEARTBEAT_OK\nbut the disk is full"],
    ["completed", false, "The disk is full: no HEARTBEAT_OK today"],
    ["completed", true, "All is well. **HEARTBEAT_OK**"],
  ]);
});

test("a schedule due on a full disk runs once when there is room", async () => {
  const { storage, setFull } = fillableDisk();
  await using world = await SchedulesWorld.start({ storage });
  await world.schedules.create({ id: "look", task: "Look", every: "15m" });
  setFull(true);
  await passing(world.clock, 20);
  const before = world.asked.length;
  setFull(false);
  await world.minutes(1);

  expect(before).toBe(0);
  expect((await world.runs("look")).map(({ status }) => status)).toEqual(["completed"]);
  expect(world.asked).toEqual(["[CRON:look] Look"]);
});

test("a run whose reply meets a full disk settles once, without another call", async () => {
  const { storage, setFull } = fillableDisk();
  await using world = await SchedulesWorld.start({
    storage,
    answer: () => {
      setFull(true);
      return "HEARTBEAT_OK";
    },
  });
  await world.schedules.create({ id: "look", task: "Look", at: "2026-01-01T00:15" });
  await passing(world.clock, 20);
  setFull(false);
  await world.minutes(2);

  expect(await world.runs("look")).toHaveLength(1);
  expect((await world.runs("look"))[0]?.endedAt).not.toBeNull();
  expect(world.asked).toHaveLength(1);
});

test("a heartbeat due on a full disk is skipped, the next on time", async () => {
  const { storage, setFull } = fillableDisk();
  await using world = await SchedulesWorld.start({ heartbeat: {}, storage });
  setFull(true);
  await passing(world.clock, 40);
  const before = world.asked.length;
  setFull(false);
  await world.minutes(25);

  expect(before).toBe(0);
  expect((await world.wakes()).map(({ outcome, dueAt }) => [outcome, dueAt])).toEqual([
    ["missed", "2026-01-01T00:30:00.000Z"],
    ["quiet", "2026-01-01T01:00:00.000Z"],
  ]);
});
