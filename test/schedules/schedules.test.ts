import type { JsonValue, StorageDriver } from "@incipit/kernel";
import { createMemoryStorage, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { namespace, SchedulesWorld } from "./schedules-world.ts";

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "was not refused",
    (error: unknown) => error,
  );
}

test("a schedule sends its task to a model on time, in its own conversation", async () => {
  await using world = await SchedulesWorld.start();
  const made = await world.schedules.create({ id: "look", task: "Look at the log.", every: "15m" });

  await world.minutes(46);

  expect(world.asked).toEqual(Array.from({ length: 3 }, () => "[CRON:look] Look at the log."));
  const { conversationId, nextAt, lastRun, tokensToday } = await world.schedules.get("look");
  expect(await world.said(conversationId ?? "")).toHaveLength(3);
  expect({ made: made.nextAt, nextAt, tokensToday }).toEqual({
    made: "2026-01-01T00:15:00.000Z",
    nextAt: "2026-01-01T01:00:00.000Z",
    tokensToday: 30,
  });
  expect(lastRun).toMatchObject({
    status: "completed",
    quiet: true,
    reply: "HEARTBEAT_OK",
    attempts: 1,
    tokens: 10,
    occurrences: [{ scheduleId: "look", dueAt: "2026-01-01T00:45:00.000Z", missed: false, asked: false }],
  });
});

test("cron backs off to five minutes while storage is unreadable, reports it, and recovers", async () => {
  const memory = createMemoryStorage();
  let isBroken = false;
  let tries = 0;
  const storage: StorageDriver = {
    ...memory,
    list(namespace, range) {
      const isDue = [range.prefix, range.start, range.end].some((key) => key?.startsWith("due/") === true);
      if (!isBroken || namespace !== namespace || !isDue) return memory.list(namespace, range);
      tries += 1;
      return Promise.reject(new Error("disk I/O error"));
    },
  };
  await using world = await SchedulesWorld.start({ storage });
  await world.schedules.create({ id: "look", task: "Look at the log.", every: "1h" });
  expect((await world.schedules.get("look")).problem).toBeNull();

  isBroken = true;
  await world.clock.advance(55 * 60_000);
  const { problem } = await world.schedules.get("look");
  const seen = tries;
  isBroken = false;
  await world.minutes(10);

  expect(seen).toBeGreaterThan(5);
  expect(seen).toBeLessThan(25);
  expect(problem).toMatch(/^disk I\/O error; retrying at 2026-01-01T\d\d:\d\d:\d\d/);
  expect(await world.schedules.get("look")).toMatchObject({ problem: null, lastRun: { status: "completed" } });
});

test("tasks due together in one conversation are one message; fresh conversations get one each", async () => {
  await using world = await SchedulesWorld.start();
  const { id } = await world.conversations.create({});
  for (const [name, conversation] of [
    ["one", id],
    ["two", id],
    ["alone", "fresh"],
  ] as const)
    await world.schedules.create({ id: name, task: `Task ${name}`, cron: "0 9 * * *", conversation });

  await world.clock.advance(9 * 3_600_000);
  await world.rest();

  expect(world.asked.toSorted()).toEqual(["[CRON:alone] Task alone", "[CRON:one] Task one\n[CRON:two] Task two"]);
  const [[one], [two], [alone]] = [await world.runs("one"), await world.runs("two"), await world.runs("alone")];
  expect(one).toEqual(two);
  expect(one?.occurrences.map(({ scheduleId }) => scheduleId)).toEqual(["one", "two"]);
  expect(one?.conversationId).toBe(id);
  expect(alone?.conversationId).not.toBe(id);
});

test("missed runs are handled as configured: last, none, or all up to a limit", async () => {
  const before = await SchedulesWorld.start();
  for (const missed of ["once", "skip", "all"] as const)
    await before.schedules.create({ id: missed, task: missed, cron: "0 * * * *", missed });
  await before[Symbol.asyncDispose]();
  await before.clock.advance(5.5 * 3_600_000);

  await using world = await SchedulesWorld.start({ storage: before.storage, clock: before.clock });
  await world.clock.advance(0);
  await world.rest();

  expect(world.asked.toSorted()).toEqual(
    ["[CRON:all] all", "[CRON:once] once"]
      .map((line) => line)
      .toSorted()
      .map((line) => (line.startsWith("[CRON:all]") ? Array.from({ length: 5 }, () => line).join("\n") : line)),
  );
  expect((await world.runs("once"))[0]?.occurrences).toMatchObject([
    { dueAt: "2026-01-01T05:00:00.000Z", missed: true },
  ]);
  expect(await world.runs("skip")).toMatchObject([{ status: "skipped", error: { code: "MISSED" }, turnId: null }]);
  expect((await world.schedules.get("skip")).nextAt).toBe("2026-01-01T06:00:00.000Z");
});

test("a limited number of missed runs, the last ones, run after a long downtime", async () => {
  const before = await SchedulesWorld.start();
  await before.schedules.create({ id: "all", task: "Look", every: "1m", missed: "all" });
  await before[Symbol.asyncDispose]();
  await before.clock.advance(30 * 86_400_000);

  await using world = await SchedulesWorld.start({ storage: before.storage, clock: before.clock });
  await world.clock.advance(0);
  await world.rest();

  const [run] = await world.runs("all");
  expect(run?.occurrences).toHaveLength(24);
  expect(run?.occurrences.at(-1)?.dueAt).toBe("2026-01-31T00:00:00.000Z");
});

test("a clock set back repeats no run, and one set forward loses none", async () => {
  const before = await SchedulesWorld.start();
  await before.schedules.create({ id: "hourly", task: "Look", cron: "0 * * * *" });
  await before.clock.advance(3 * 3_600_000 + 300);
  await before.rest();
  const ran = before.asked.length;
  await before[Symbol.asyncDispose]();
  const back = new FakeClock(Date.parse("2026-01-01T01:30:00Z"));

  await using world = await SchedulesWorld.start({ storage: before.storage, clock: back });
  await world.minutes(120);
  const repeated = world.asked.length;
  await world.minutes(60);

  expect({ ran, repeated, after: world.asked.length }).toEqual({ ran: 3, repeated: 0, after: 1 });
});

test("a failed run is reported with its error and retried as configured", async () => {
  const answers = [new Error("No"), new Error("No"), "Done\nHEARTBEAT_OK"];
  const answer = (): string | Error => answers.shift() ?? new Error("Still no");
  await using world = await SchedulesWorld.start({ answer });
  const at = "2026-01-01T09:00Z";
  await world.schedules.create({ id: "again", task: "Try", at, retries: 2 });
  await world.clock.advance(10 * 3_600_000);
  await world.rest();
  await world.schedules.create({ id: "once", task: "Try", at: "2026-01-01T20:00Z" });
  await world.clock.advance(11 * 3_600_000);
  await world.rest();

  expect(await world.runs("again")).toMatchObject([{ status: "completed", attempts: 3, error: null }]);
  expect(await world.runs("once")).toMatchObject([{ status: "failed", attempts: 1, error: { code: "FAILED" } }]);
  expect((await world.schedules.get("once")).nextAt).toBeNull();
});

test("a daily token limit skips and records later runs until the next day", async () => {
  await using world = await SchedulesWorld.start({ cron: { max_tokens_per_day: 35 } });
  await world.schedules.create({ id: "own", task: "Look", cron: "0 * * * *", maxTokensPerDay: 20 });
  await world.schedules.create({ id: "free", task: "Look", cron: "30 * * * *" });

  await world.minutes(6 * 60);

  const status = async (id: string): Promise<readonly string[]> =>
    (await world.runs(id)).map((run) => run.error?.code ?? run.status).toReversed();
  const spent = Array.from({ length: 4 }, () => "BUDGET_SPENT");
  for (const id of ["own", "free"]) expect(await status(id)).toEqual(["completed", "completed", ...spent]);
  expect((await world.runs("free"))[0]?.error?.message).toBe(
    "All schedules together have used 40 tokens today, and cron.max_tokens_per_day allows 35; it continues tomorrow",
  );
  await world.clock.advance(18.2 * 3_600_000);
  await world.rest();
  expect((await status("own")).at(-1)).toBe("completed");
});

test("a schedule starts a new conversation after a user has deleted its own", async () => {
  await using world = await SchedulesWorld.start();
  await world.schedules.create({ id: "look", task: "Look", every: "15m" });
  await world.minutes(16);
  const before = (await world.schedules.get("look")).conversationId;
  if (before === null) throw new Error("It has no conversation");
  await world.conversations.delete(before);

  await world.minutes(30);

  const { conversationId } = await world.schedules.get("look");
  expect(conversationId).not.toBe(before);
  expect(await world.said(conversationId ?? "")).toHaveLength(2);
  const once: ["completed", number] = ["completed", 1];
  expect((await world.runs("look")).map(({ status, attempts }) => [status, attempts])).toEqual([once, once, once]);
});

test("a schedule can be paused, run manually, resumed and deleted", async () => {
  await using world = await SchedulesWorld.start();
  await world.schedules.create({ id: "look", task: "Look", every: "1h" });
  const paused = await world.schedules.update("look", { paused: true });
  await world.minutes(180);
  const whilePaused = world.asked.length;
  const { status, occurrences } = await world.schedules.run("look");
  await world.rest();
  const afterRun = world.asked.length;
  const resumed = await world.schedules.update("look", { paused: false });
  await world.minutes(60);
  const afterResume = world.asked.length;
  await world.schedules.delete("look");
  await world.minutes(180);

  expect({ paused: paused.nextAt, resumed: resumed.nextAt }).toEqual({
    paused: null,
    resumed: "2026-01-01T04:00:00.000Z",
  });
  expect({ status, occurrences }).toMatchObject({ status: "waiting", occurrences: [{ asked: true }] });
  expect({ whilePaused, afterRun, afterResume, end: world.asked.length }).toEqual({
    whilePaused: 0,
    afterRun: 1,
    afterResume: 2,
    end: 2,
  });
  expect(await failureOf(world.schedules.get("look"))).toMatchObject({ code: "SCHEDULE_UNKNOWN" });
  for (const prefix of ["due/", "run/", "history/", "pending/"])
    expect(await world.storage.list(namespace, { prefix })).toEqual([]);
});

test("the start applies added, changed and removed jobs of the configuration", async () => {
  const job = { task: "Look", every: "1h" };
  const before = await SchedulesWorld.start({ cron: { jobs: { kept: job, moved: job, gone: job } } });
  await before.schedules.list({ limit: 1 });
  await before.clock.advance(30 * 60_000);
  await before[Symbol.asyncDispose]();

  const jobs = { kept: { ...job, task: "Look well" }, moved: { task: "Look", every: "2h" }, made: job };
  await using world = await SchedulesWorld.start({ storage: before.storage, clock: before.clock, cron: { jobs } });
  await world.clock.advance(0);

  const { items } = await world.schedules.list({ limit: 10 });
  expect(items.map(({ id, task, source, nextAt }) => ({ id, task, source, nextAt }))).toEqual([
    { id: "kept", task: "Look well", source: "configuration", nextAt: "2026-01-01T01:00:00.000Z" },
    { id: "made", task: "Look", source: "configuration", nextAt: "2026-01-01T01:30:00.000Z" },
    { id: "moved", task: "Look", source: "configuration", nextAt: "2026-01-01T02:30:00.000Z" },
  ]);
  expect(await failureOf(world.schedules.delete("kept"))).toMatchObject({
    code: "SCHEDULE_CONFIGURED",
    message: 'The schedule "kept" is in the configuration: change [cron.jobs.kept] there, and restart the host',
  });
});

test("an `at` job stored after its time runs once or is skipped, according to `missed`", async () => {
  const missedPolicies = ["skip", "once", "all"] as const;
  const times = { long: "2025-12-31T23:00Z", just: "2025-12-31T23:59:30Z", ages: "1999-01-01T00:00Z" };
  const jobs = Object.fromEntries(
    missedPolicies.flatMap((missed) =>
      Object.entries(times).map(([late, at]) => [`${late}-${missed}`, { task: "Look", at, missed }]),
    ),
  );
  await using world = await SchedulesWorld.start({ cron: { jobs } });
  await world.clock.advance(0);
  await world.rest();

  const found = new Map<string, unknown>();
  for (const id of Object.keys(jobs)) {
    const runs = await world.runs(id);
    found.set(
      id,
      runs.map(({ status, occurrences, error }) => ({ status, error: error?.code, times: occurrences.length })),
    );
    expect(await world.schedules.get(id)).toMatchObject({ nextAt: null });
  }

  const ran = [{ status: "completed", error: undefined, times: 1 }];
  const skipped = [{ status: "skipped", error: "MISSED", times: 1 }];
  expect(Object.fromEntries(found)).toEqual({
    "long-skip": skipped,
    "just-skip": ran,
    "ages-skip": skipped,
    "long-once": ran,
    "just-once": ran,
    "ages-once": ran,
    "long-all": ran,
    "just-all": ran,
    "ages-all": ran,
  });
});

test("an `at` job runs once, despite being stored, changed, paused, removed and restored repeatedly", async () => {
  const first = { task: "Look", at: "2025-12-31T23:00Z" };
  const second = { task: "Look", at: "2025-12-31T22:00Z" };
  const starts: readonly Readonly<Record<string, JsonValue>>[] = [
    { once: first },
    { once: first },
    { once: { ...first, task: "Look well" } },
    { once: { ...first, paused: true } },
    { once: first },
    {},
    { once: first },
    { once: second },
    {},
    { once: second },
  ];
  let before: Pick<SchedulesWorld, "storage" | "clock"> | undefined;
  const asked: string[] = [];
  for (const jobs of starts) {
    await using world: SchedulesWorld = await SchedulesWorld.start({ ...before, cron: { jobs } });
    await world.clock.advance(0);
    await world.rest();
    asked.push(world.asked.join());
    before = world;
  }

  expect(asked).toEqual(["[CRON:once] Look", "", "", "", "", "", "", "[CRON:once] Look", "", ""]);
});

test("100 schedules due together each run once, with limited concurrency", async () => {
  let running = 0;
  let most = 0;
  const answer = async (): Promise<string> => {
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => setImmediate(resolve));
    running -= 1;
    return "HEARTBEAT_OK";
  };
  await using world = await SchedulesWorld.start({ answer });
  const { id: conversation } = await world.conversations.create({});
  for (let count = 0; count < 100; count += 1) {
    const where = count < 40 ? {} : { conversation };
    await world.schedules.create({ id: `job-${count}`, task: "Look", cron: "0 9 * * *", ...where });
  }

  await world.clock.advance(9 * 3_600_000);
  await world.rest();

  const lines = world.asked.flatMap((message) => message.split("\n"));
  expect(lines).toHaveLength(100);
  expect(new Set(lines).size).toBe(100);
  expect(most).toBeLessThanOrEqual(16);
  expect(world.clock.pending).toBeLessThan(10);
}, 120_000);

test("an unreadable stored schedule or an unknown zone is logged and blocks no other schedule", async () => {
  await using world = await SchedulesWorld.start();
  for (const id of ["bad", "gone", "good"]) await world.schedules.create({ id, task: id, every: "1h" });
  const gone = await world.storage.get(namespace, "schedule/gone");
  const value = JSON.parse(JSON.stringify(gone?.value).replace('"timeZone":null', '"timeZone":"Mars/Base"'));
  await world.storage.atomic(
    [],
    [
      { kind: "set", namespace, key: "schedule/bad", value: { definition: "gone" } },
      { kind: "set", namespace, key: "schedule/gone", value },
    ],
  );

  await world.minutes(60);

  expect(world.asked).toEqual(["[CRON:good] good"]);
  expect(world.logs).toContain("error A stored schedule is invalid: delete and create it again");
  expect((await world.schedules.list({ limit: 10 })).items.map(({ id }) => id)).toEqual(["gone", "good"]);
});

test("an invalid job of the configuration is logged and blocks no other job", async () => {
  const job = (task: string, cron = "0 * * * *"): JsonValue => ({ task, cron });
  const before = await SchedulesWorld.start({
    cron: { jobs: { damaged: job("a"), never: job("b"), good: job("c") } },
  });
  await before.schedules.get("good");
  await before[Symbol.asyncDispose]();
  const damage = { kind: "set", namespace, key: "schedule/damaged", value: {} } as const;
  await before.storage.atomic([], [damage]);

  await using world = await SchedulesWorld.start({
    storage: before.storage,
    clock: before.clock,
    cron: { jobs: { damaged: job("a"), never: job("b", "61 * * * *"), good: job("c"), late: job("d") } },
  });
  await world.schedules.get("late");
  await world.minutes(60);

  expect(world.asked.toSorted()).toEqual(["[CRON:good] c", "[CRON:late] d", "[CRON:never] b"]);
  const told = world.logs.split("\n").filter((line) => line.includes("Cannot apply the job"));
  expect(told).toEqual([
    'error Cannot apply the job "damaged" of the configuration; its stored schedule is unchanged',
    'error Cannot apply the job "never" of the configuration; its stored schedule is unchanged',
  ]);
});

test("a schedule with slow turns queues ten runs and skips the others", async () => {
  const going = Promise.withResolvers<string>();
  await using world = await SchedulesWorld.start({ answer: () => going.promise });
  await world.schedules.create({ id: "slow", task: "Look", every: "1s" });

  let items = await world.runs("slow");
  while (items[0]?.status !== "skipped") {
    await world.clock.advance(1_000);
    items = await world.runs("slow");
  }
  await world.schedules.update("slow", { paused: true });
  going.resolve("HEARTBEAT_OK");
  await world.rest();

  const open = items.filter(({ endedAt }) => endedAt === null);
  expect(open).toHaveLength(10);
  expect(items[0]).toMatchObject({ status: "skipped", error: { code: "STILL_RUNNING" } });
  expect(await world.storage.list(namespace, { prefix: "pending/" })).toEqual([]);
});
