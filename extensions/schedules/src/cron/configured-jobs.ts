import type { ConfigurationProblem } from "@incipit/kernel";
import { createScheduleRequestSchema, isTimeZone } from "@incipit/schema";
import * as z from "zod";
import type { ConfiguredJob } from "../engine/configured-schedules.ts";
import { cronProblem, cronRule } from "../times/cron-problem.ts";
import { everyRule, intervalMs } from "../times/interval.ts";

export const zoneRule = 'must be a time zone, such as "Europe/Berlin" or "UTC"';

export function jobKeys() {
  return z.strictObject({
    task: z.string(),
    cron: z.string().exactOptional(),
    every: z.string().exactOptional(),
    at: z.string().exactOptional(),
    time_zone: z.string().exactOptional(),
    missed: z.enum(["skip", "once", "all"]).exactOptional(),
    conversation: z.string().exactOptional(),
    model: z.string().exactOptional(),
    profile: z.string().exactOptional(),
    cwd: z.string().exactOptional(),
    tools: z.array(z.string()).exactOptional(),
    tell: z.string().exactOptional(),
    retries: z.int().exactOptional(),
    max_tokens_per_day: z.int().exactOptional(),
    max_usd_per_day: z.number().exactOptional(),
    paused: z.boolean().default(false),
  });
}
type WrittenJob = z.output<ReturnType<typeof jobKeys>>;

export function configuredJobs(jobs: Readonly<Record<string, WrittenJob>>): readonly ConfiguredJob[] {
  return Object.entries(jobs).map(([id, job]) => ({
    definition: createScheduleRequestSchema.parse(toRequest(id, job)),
    paused: job.paused,
  }));
}

const apiNames = {
  time_zone: "timeZone",
  max_tokens_per_day: "maxTokensPerDay",
  max_usd_per_day: "maxUsdPerDay",
} as const;

function toRequest(id: string, job: WrittenJob): Readonly<Record<string, unknown>> {
  const names: Readonly<Record<string, string>> = apiNames;
  const entries = Object.entries(job).filter(([key]) => key !== "paused");
  return { id, ...Object.fromEntries(entries.map(([key, value]) => [names[key] ?? key, value])) };
}

export function jobProblems([id, job]: [string, WrittenJob]): readonly ConfigurationProblem[] {
  const path = ["cron", "jobs", id];
  const parsed = createScheduleRequestSchema.safeParse(toRequest(id, job));
  const names = new Map<string, string>(Object.entries(apiNames).map(([file, api]) => [api, file]));
  const problems: ConfigurationProblem[] = (parsed.error?.issues ?? []).map((issue) => {
    const key = String(issue.path[0] ?? "");
    return { path: [...path, names.get(key) ?? key], message: issue.message };
  });
  const given = (["cron", "every", "at"] as const).filter((key) => job[key] !== undefined);
  if (given.length !== 1) {
    const which = given.length === 0 ? "has none of them" : `has ${given.map((key) => `"${key}"`).join(" and ")}`;
    problems.push({ path, message: `needs one of "cron", "every" and "at", and ${which}` });
  }
  const wrong = job.cron === undefined ? undefined : cronProblem(job.cron);
  if (wrong !== undefined)
    problems.push({ path: [...path, "cron"], message: `is not a valid cron expression: ${wrong}; ${cronRule}` });
  if (job.every !== undefined && intervalMs(job.every) === undefined)
    problems.push({ path: [...path, "every"], message: `is not an interval; ${everyRule}` });
  if (job.time_zone !== undefined && !isTimeZone(job.time_zone))
    problems.push({ path: [...path, "time_zone"], message: zoneRule });
  return problems;
}
