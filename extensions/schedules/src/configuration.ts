import { defineConfiguration, type ValuesOf } from "@incipit/kernel";
import {
  allowedToolsSchema,
  clientNameSchema,
  conversationIdSchema,
  isTimeZone,
  maxTokensPerDaySchema,
  maxUsdPerDaySchema,
  notifiedChatSchema,
  scheduleIdSchema,
} from "@incipit/schema";
import * as z from "zod";
import { jobKeys, jobProblems, zoneRule } from "./cron/configured-jobs.ts";
import { intervalMs } from "./times/interval.ts";

const everyRule = 'must be a number with m or h, from "1m" to "24h", such as "30m"';
const hoursRule = 'must be two times of day, such as ["08:00", "22:00"]; the second one may be on the next day';
const fileRule = "must be a path below the working folder, without .., such as HEARTBEAT.md";
const toolsRule =
  "applies only to conversations that the heartbeat creates: an existing conversation has its own tools";
/** Maximum number of allowed tools; the tool for the reply is one more. */
const maxTools = 199;
const countRule = `must have at most ${maxTools} names`;
const conversationRule = 'must be "own", "daily", "fresh" or the id of a conversation';
const runsRule = "must be a whole number from 1 to 1000";

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;
const dayMs = 86_400_000;

/** Each of the three counts its days in its own zone. */
function dayKeys() {
  return {
    time_zone: z.string().refine(isTimeZone, zoneRule).exactOptional(),
    /** Input and output tokens, after which no model is called; absent: unlimited. */
    max_tokens_per_day: maxTokensPerDaySchema.exactOptional(),
    max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
  };
}

export const configuration = defineConfiguration({
  tables: () => ({
    unattended: dayKeys(),
    heartbeat: {
      enabled: z.boolean().default(false),
      every: z.string().refine(isHeartbeatInterval, everyRule).default("30m"),
      active_hours: z
        .array(z.string().regex(timeOfDay, hoursRule))
        .refine((times) => times.length === 2 && times[0] !== times[1], hoursRule)
        .exactOptional(),
      conversation: z
        .union([z.enum(["own", "daily", "fresh"]), conversationIdSchema], conversationRule)
        .default("daily"),
      tell: notifiedChatSchema.exactOptional(),
      model: clientNameSchema.exactOptional(),
      profile: clientNameSchema.exactOptional(),
      tools: allowedToolsSchema.refine((names) => names.length <= maxTools, countRule).exactOptional(),
      file: z
        .string()
        .refine((path) => path.trim() !== "" && !path.startsWith("/") && !path.split("/").includes(".."), fileRule)
        .default("HEARTBEAT.md"),
      ...dayKeys(),
    },
    cron: {
      /** Defaults to on once a schedule exists. */
      enabled: z.boolean().exactOptional(),
      jobs: z.record(scheduleIdSchema, jobKeys()).default({}),
      ...dayKeys(),
    },
    gateway_prompts: {
      /** Defaults to `heartbeat.enabled`. */
      heartbeat: z.boolean().exactOptional(),
      /** Defaults to `cron.enabled`. */
      cron: z.boolean().exactOptional(),
    },
  }),
  settings: () => ({
    /** Runs of schedules; the heartbeat has one at a time. */
    max_runs: z.int(runsRule).min(1, runsRule).max(1_000, runsRule).default(16),
  }),
  whole: ["unattended", "heartbeat", "cron.jobs.*"],
  problems({ heartbeat: { tools, conversation }, cron: { jobs } }) {
    const isMade = ["own", "daily", "fresh"].includes(conversation);
    const wrong = tools === undefined || isMade ? [] : [{ path: ["heartbeat", "tools"], message: toolsRule }];
    return [...wrong, ...Object.entries(jobs).flatMap(jobProblems)];
  },
  wishes({ heartbeat: { enabled, every, file }, cron: { jobs } }, { quote }) {
    const wakes = `runs a model every ${every} autonomously, with the instructions of ${quote(file)}`;
    const tasks = Object.entries(jobs).map(([id, job]) => ({
      path: ["cron", "jobs", id],
      sentence: `runs the task ${quote(job.task)} autonomously (${quote(job.cron ?? job.every ?? job.at ?? "")})`,
      tells: ["task", "cron", "every", "at"],
    }));
    if (!enabled) return tasks;
    return [{ path: ["heartbeat"], sentence: wakes, tells: ["enabled", "every", "file"] }, ...tasks];
  },
});

export type SchedulesValues = ValuesOf<typeof configuration>;

function isHeartbeatInterval(every: string): boolean {
  const ms = /^\d{1,4}[mh]$/.test(every) ? intervalMs(every) : undefined;
  return ms !== undefined && ms <= dayMs;
}
