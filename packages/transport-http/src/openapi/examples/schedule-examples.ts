import type { scheduleRunSchema, scheduleSchema } from "@incipit/schema";
import type * as z from "zod";
import type { RouteExamples } from "./route-example.ts";
import { conversation } from "./shared-values.ts";

const run: z.input<typeof scheduleRunSchema> = {
  id: "01a208b1-d11e-7c02-8f35-9d0e6a7b4c55",
  occurrences: [{ scheduleId: "logs", dueAt: "2026-11-23T08:00:00.000Z", missed: false, asked: false }],
  status: "completed",
  conversationId: conversation.id,
  turnId: "01a208b1-d12f-7e6d-b1a8-0c5d7f9e2b13",
  attempts: 1,
  claimedAt: "2026-11-23T08:00:00.004Z",
  endedAt: "2026-11-23T08:00:07.412Z",
  reply: "Nothing unusual.\nHEARTBEAT_OK",
  quiet: true,
  tokens: 1_842,
  usd: 0.004,
  unpriced: 0,
  error: null,
};

const task = "Look at the log of today, and tell me what is unusual.";
const schedule: z.input<typeof scheduleSchema> = {
  id: "logs",
  task,
  cron: "0 9 * * 1-5",
  every: null,
  at: null,
  timeZone: "Europe/Berlin",
  missed: "once",
  conversation: "own",
  model: null,
  profile: null,
  cwd: null,
  tools: ["read_file", "list_files"],
  tell: "telegram:123456789",
  retries: 1,
  maxTokensPerDay: 20_000,
  maxUsdPerDay: 0.5,
  source: "api",
  paused: false,
  nextAt: "2026-11-24T08:00:00.000Z",
  conversationId: conversation.id,
  lastRun: run,
  tokensToday: 1_842,
  usdToday: 0.043,
  unpricedToday: 0,
  problem: null,
};

export const scheduleExamples = {
  listSchedules: {
    description: "Lists what models are to do at their time, those of the configuration too, a page at a time.",
    answer: { schedules: [schedule] },
  },
  createSchedule: {
    description:
      'Stores a task with one of "cron", "every" and "at". Each time runs at most once, whatever is restarted when. It outlives the token that makes it: that is why it takes `admin`.',
    body: {
      id: "logs",
      task,
      cron: "0 9 * * 1-5",
      timeZone: "Europe/Berlin",
      tools: ["read_file", "list_files"],
      tell: "telegram:123456789",
      retries: 1,
      maxTokensPerDay: 20_000,
      maxUsdPerDay: 0.5,
    },
    answer: { schedule: { ...schedule, conversationId: null, lastRun: null, tokensToday: 0, usdToday: 0 } },
  },
  getSchedule: {
    description: "Shows a schedule with its next time, its last run and what it has used today.",
    answer: { schedule },
  },
  updateSchedule: {
    description:
      "While it is paused, none of its times runs, and none of them is made up for later. One of the configuration is paused there: a `SCHEDULE_CONFIGURED`.",
    body: { paused: true },
    answer: { schedule: { ...schedule, paused: true, nextAt: null } },
  },
  deleteSchedule: {
    description:
      "Takes it away with its history; the conversations of its runs stay. One of the configuration is taken away there: a `SCHEDULE_CONFIGURED`.",
    answer: { deleted: true },
  },
  runSchedule: {
    description:
      "Answers as soon as the run is stored, which outlives the host; follow it in the history. Its times stay as they are.",
    answer: {
      run: {
        ...run,
        occurrences: [{ scheduleId: "logs", dueAt: "2026-11-23T13:56:39.000Z", missed: false, asked: true }],
        status: "waiting",
        turnId: null,
        attempts: 0,
        claimedAt: "2026-11-23T13:56:39.000Z",
        endedAt: null,
        reply: null,
        quiet: false,
        tokens: 0,
        usd: 0.004,
        unpriced: 0,
      },
    },
  },
  listScheduleRuns: {
    description:
      "Shows the last 100 runs: when they were due, how they ended, what the model said last, and what was skipped with the reason.",
    answer: { runs: [run] },
  },
} satisfies RouteExamples;
