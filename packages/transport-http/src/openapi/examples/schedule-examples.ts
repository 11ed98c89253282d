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
    answer: { schedules: [schedule] },
  },
  createSchedule: {
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
    answer: { schedule },
  },
  updateSchedule: {
    body: { paused: true },
    answer: { schedule: { ...schedule, paused: true, nextAt: null } },
  },
  deleteSchedule: {
    answer: { deleted: true },
  },
  runSchedule: {
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
    answer: { runs: [run] },
  },
} satisfies RouteExamples;
