import { scheduleRunSchema, scheduleSchema, type Schedule, type ScheduleRun } from "@incipit/schema";
import { expect, test } from "bun:test";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";
import { runLine, scheduleLine } from "./schedule-line.ts";

const run = scheduleRunSchema.parse({
  id: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  occurrences: [{ scheduleId: "logs", dueAt: "2026-11-23T08:00:00.000Z", missed: false, asked: false }],
  status: "completed",
  conversationId: "01a1fcd7-5c9a-7556-afda-000000000001",
  turnId: "01a1fcd7-5c9a-7556-afda-000000000002",
  attempts: 1,
  claimedAt: "2026-11-23T08:00:00.000Z",
  endedAt: "2026-11-23T08:00:07.000Z",
  reply: "Nothing unusual.\nHEARTBEAT_OK",
  quiet: true,
  tokens: 1_842,
  usd: 0.004,
  unpriced: 0,
  error: null,
} satisfies Record<keyof ScheduleRun, unknown>);
const schedule = scheduleSchema.parse({
  id: "logs",
  task: "Look at the log of today, and tell me what is unusual.",
  cron: "0 9 * * 1-5",
  every: null,
  at: null,
  timeZone: "Europe/Berlin",
  missed: "once",
  conversation: "own",
  model: null,
  profile: null,
  cwd: null,
  tools: null,
  tell: null,
  retries: 0,
  maxTokensPerDay: null,
  maxUsdPerDay: null,
  source: "api",
  paused: false,
  nextAt: "2026-11-24T08:00:00.000Z",
  conversationId: null,
  lastRun: run,
  tokensToday: 1_842,
  usdToday: 0,
  unpricedToday: 0,
  problem: null,
} satisfies Record<keyof Schedule, unknown>);

function ran(words: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  return runAgainst(["schedules", ...words], ...answers);
}

test("schedules add sends its options and prints the next time", async () => {
  const when = ["--cron", "0 9 * * 1-5", "--zone", "Europe/Berlin", "--missed", "all"];
  const how = ["--conversation", "fresh", "--model", "a/b", "--profile", "c", "--retries", "2", "--cwd", "/work"];
  const bounds = ["--max-tokens", "900", "--max-usd", "0.50", "--tools", "read_file,files__*"];
  const { stdout, requests } = await ran(["add", "logs", "Look at it", ...when, ...how, ...bounds], { schedule });

  expect(requests).toEqual([
    {
      route: "POST /schedules",
      body: {
        id: "logs",
        task: "Look at it",
        cron: "0 9 * * 1-5",
        timeZone: "Europe/Berlin",
        missed: "all",
        conversation: "fresh",
        model: "a/b",
        profile: "c",
        cwd: "/work",
        retries: 2,
        maxTokensPerDay: 900,
        maxUsdPerDay: 0.5,
        tools: ["read_file", "files__*"],
      },
    },
  ]);
  expect(stdout).toContain("next 2026-11-24 08:00 UTC");
});

test("schedules list and history fetch all pages and report an empty list", async () => {
  const list = await ran(["list"], { schedules: [schedule], nextCursor: "logs" }, { schedules: [schedule] });
  const history = await ran(["history", "logs"], { runs: [run], nextCursor: run.id }, { runs: [run] });

  expect(list.stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(list.requests.map(({ route }) => route)).toEqual(["GET /schedules", "GET /schedules?cursor=logs"]);
  expect(history.stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(history.requests.at(-1)?.route).toBe(`GET /schedules/logs/runs?cursor=${run.id}`);
  expect((await ran([], { schedules: [] })).stderr).toContain("incipit schedules add");
  expect((await ran(["history", "logs"], { runs: [] })).stderr).toContain("incipit schedules run logs");
});

test("schedules costs prints today with its limit, and every day of each schedule", async () => {
  const today = { tokens: 12_400, usd: 0.0042, unpriced: 1 };
  const bounds = { maxTokensPerDay: 300_000, maxUsdPerDay: 2.5 };
  const unattended = { timeZone: "Europe/Berlin", ...bounds, today };
  const costs = [{ day: "2026-11-23", schedule: "logs", tokens: 1_842, usd: 0.5, unpriced: 0 }];
  const later = [{ day: "2026-11-22", schedule: null, tokens: 0, usd: 0, unpriced: 2 }];
  const pages = [
    { unattended, costs, nextCursor: "c" },
    { unattended, costs: later },
  ];
  const shown = await ran(["costs"], ...pages);
  const json = await ran(["costs", "--json"], ...pages);
  const unbound = { ...unattended, maxTokensPerDay: null, maxUsdPerDay: null };

  expect(shown.stdout.split("\n")).toEqual([
    "today  12,400 tokens of 300,000  $0.0042 of $2.50 and 1 call without a price  (days of Europe/Berlin)",
    "2026-11-23  logs                    1,842 tokens  $0.50",
    "2026-11-22  (heartbeat)                 0 tokens  $0.00 and 2 calls without a price",
    "",
  ]);
  expect(shown.requests.map(({ route }) => route)).toEqual(["GET /unattended", "GET /unattended?cursor=c"]);
  expect(
    json.stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([unattended, ...costs, ...later]);
  expect((await ran(["costs"], { unattended: unbound, costs: [] })).stdout).toContain("without a bound");
});

test("schedules pause, resume, run and remove send their request, and print JSON with --json", async () => {
  const paused = { schedule: { ...schedule, paused: true, nextAt: null } };
  const asked = [
    await ran(["pause", "logs", "--json"], paused),
    await ran(["resume", "logs", "--json"], { schedule }),
    await ran(["run", "logs", "--json"], { run }),
    await ran(["remove", "logs", "--json"], { deleted: true }),
  ];

  expect(asked.flatMap(({ requests }) => requests)).toEqual([
    { route: "PATCH /schedules/logs", body: { paused: true } },
    { route: "PATCH /schedules/logs", body: { paused: false } },
    { route: "POST /schedules/logs/run", body: undefined },
    { route: "DELETE /schedules/logs", body: undefined },
  ]);
  expect(asked.map(({ stdout }): unknown => JSON.parse(stdout))).toEqual([
    paused.schedule,
    schedule,
    run,
    { deleted: true },
  ]);
  expect(asked.map(({ stderr }) => stderr)).toEqual(["", "", "", ""]);
});

test("scheduleLine and runLine print the details without control sequences", () => {
  expect(scheduleLine(schedule)).toBe(
    "logs              cron 0 9 * * 1-5 Europe/Berlin  next 2026-11-24 08:00 UTC  last completed, quiet   Look at the log of today, and tell me wh… (14 characters more)  (1,842 tokens today)",
  );
  const over = {
    ...schedule,
    cron: null,
    every: "15m",
    timeZone: null,
    nextAt: null,
    lastRun: null,
    tokensToday: 0,
    usdToday: 0,
    unpricedToday: 0,
  };
  expect(scheduleLine({ ...over, source: "configuration", task: "Li\u001B[2J" })).toMatch(
    /^logs +every 15m +over +never ran +Li\\u001b\[2J {2}\(configured\)$/,
  );
  expect(scheduleLine({ ...schedule, problem: "disk I/O error; retrying at 09:00" })).toEndWith(
    "  problem: disk I/O error; retrying at 09:00",
  );
  expect(runLine(run)).toBe(
    `2026-11-23 08:00 UTC  completed, quiet      1,842 tokens  conversation ${run.conversationId}  turn ${run.turnId}  Nothing unusual.\\nHEARTBEAT_OK`,
  );
  const untold = { ...run, error: { code: "CHAT_UNKNOWN", message: "Nobody could be told" } };
  expect(runLine(untold)).toContain("  Nobody could be told  Nothing unusual.");
  const skipped: ScheduleRun = {
    ...run,
    occurrences: run.occurrences.map((occurrence) => ({ ...occurrence, missed: true, asked: true })),
    status: "skipped",
    quiet: false,
    turnId: null,
    conversationId: null,
    attempts: 3,
    reply: null,
    error: { code: "MISSED", message: "The host was not running at that time" },
  };
  expect(runLine(skipped)).toMatch(
    /skipped .*\(asked for, late, 3 tries\) {2}The host was not running at that time$/,
  );
});
