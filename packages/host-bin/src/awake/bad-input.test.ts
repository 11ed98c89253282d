import { createMemoryStorage, type FakeClock } from "@incipit/testkit";
import type { StorageDriver } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { parseConfig } from "../config/parse-config.ts";
import { CronWorld } from "./testing/cron-world.ts";
import { HeartbeatWorld } from "./testing/heartbeat-world.ts";

/** A disk that takes nothing while it is full. */
function fillableDisk(): { readonly storage: StorageDriver; readonly setFull: (isFull: boolean) => void } {
  const whole = createMemoryStorage();
  let full = false;
  const storage: StorageDriver = {
    ...whole,
    atomic: (checks, writes, options) =>
      full ? Promise.reject(new Error("the disk is full")) : whole.atomic(checks, writes, options),
  };
  return { storage, setFull: (isFull) => (full = isFull) };
}

async function passing(clock: FakeClock, minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 1) await clock.advance(60_000);
}

test("a job with a wrong expression, interval, zone or tool is refused at the start, with file, line and key", () => {
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
    /incipit\.toml:3: key "cron\.jobs\.logs\.cron" says no times: "61" is no minute/,
    /incipit\.toml:4: key "cron\.jobs\.logs\.time_zone" must be a time zone/,
    /incipit\.toml:5: key "cron\.jobs\.logs\.tools"/,
    /incipit\.toml:9: key "cron\.jobs\.pulse\.every" is no interval/,
  ])
    expect(refusal).toMatch(place);
});

test("settings of a chat that is none, and keys that no chat has, are refused at the start, with file, line and key", () => {
  const text = `[channels.telegram.chats.family]
profile = "family"

[channels.discord.chats."80351110224678912"]
aprovers = ["80351110224678912"]
`;

  for (const place of [
    /incipit\.toml:1: key "channels\.telegram\.chats\.family" must be the number of a person/,
    /incipit\.toml:5: key "channels\.discord\.chats\.80351110224678912\.aprovers" is unknown; did you mean "approvers"\?/,
  ])
    expect(() => parseConfig(text, "incipit.toml")).toThrow(place);
});

test("1,000 schedules that are due at once in one conversation are each there once, in few messages", async () => {
  await using world = await CronWorld.start();
  const { id: conversation } = await world.conversations.create({});
  const ids = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
  for (const id of ids) await world.schedules.create({ id, task: "Look", at: "2026-01-01T00:30", conversation });

  await world.minutes(31);

  const lines = world.asked.flatMap((text) => text.split("\n"));
  expect(world.asked.length).toBeLessThanOrEqual(10);
  expect(lines.toSorted()).toEqual(ids.map((id) => `[CRON:${id}] Look`).toSorted());
}, 60_000);

test("a model that calls tools without an end is stopped, and the wake and the run say so", async () => {
  const answer = () => ({ call: { name: "heartbeat_respond", input: '{"notify":false}' }, say: null });
  await using heartbeat = await HeartbeatWorld.start({ answer });
  await using cron = await CronWorld.start({ answer });
  await cron.schedules.create({ id: "look", task: "Look", every: "15m" });

  await heartbeat.minutes(31);
  await cron.minutes(16);

  expect(await heartbeat.wakes()).toMatchObject([{ outcome: "failed", error: { code: "MAX_STEPS" } }]);
  expect(await cron.runs("look")).toMatchObject([{ status: "failed", error: { code: "MAX_STEPS" } }]);
}, 60_000);

test("a run of a schedule in which the model says nothing has failed, and one with the token before an alert is told", async () => {
  const replies = ["", "HEARTBEAT_OK\nbut the disk is full", "The disk is full. HEARTBEAT_OK"];
  await using world = await CronWorld.start({ answer: () => replies.shift() ?? "HEARTBEAT_OK" });
  await world.schedules.create({ id: "look", task: "Look", every: "15m" });

  await world.minutes(46);

  expect((await world.runs("look")).toReversed().map(({ status, quiet }) => [status, quiet])).toEqual([
    ["failed", false],
    ["completed", false],
    ["completed", false],
  ]);
});

test("a disk that is full when a schedule is due runs it once there is room, once", async () => {
  const { storage, setFull } = fillableDisk();
  await using world = await CronWorld.start({ storage });
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

test("a disk that is full when a reply has come settles the run once there is room, once, and asks nobody again", async () => {
  const { storage, setFull } = fillableDisk();
  await using world = await CronWorld.start({
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

test("a disk that is full when the heartbeat is due wakes nobody, and it goes on in its rhythm once there is room", async () => {
  const { storage, setFull } = fillableDisk();
  await using world = await HeartbeatWorld.start({ storage });
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
