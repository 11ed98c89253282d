import type { CreateScheduleRequest } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { resolve } from "node:path";
import type { OptionsOf } from "../registry/options.ts";
import { printer } from "../output/printer.ts";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { scheduleLine } from "./schedule-line.ts";

type ScheduleOption =
  | "cron"
  | "every"
  | "at"
  | "zone"
  | "missed"
  | "schedule"
  | "model"
  | "profile"
  | "cwd"
  | "tell"
  | "tools"
  | "retries"
  | "maxTokens"
  | "maxUsd";

export async function addSchedule(call: Call<[name: string, task: string], ScheduleOption>): Promise<void> {
  const { show, note } = printer(call);
  const [id, task] = call.words;
  const body = newSchedule({ id, task }, call.args);
  show((await (await call.host.client()).call(routes.createSchedule, { body })).schedule, scheduleLine);
  note(`It runs while a host runs (incipit serve); to run it now: incipit schedules run ${id}`);
}

function newSchedule(
  { id, task }: { readonly id: string; readonly task: string },
  args: OptionsOf<ScheduleOption>,
): CreateScheduleRequest {
  const { cron, every, at, zone, missed, schedule, model, profile, cwd, tell, tools, retries, maxTokens, maxUsd } =
    args;
  const times = Object.entries({ cron, every, at }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (times.length !== 1) {
    const what = times.length === 0 ? "When?" : `${times.map((name) => `"--${name}"`).join(" and ")} are too many:`;
    throw new UsageError(`${what} Write one of --cron "0 9 * * 1-5", --every 15m and --at 2026-12-24T18:00`);
  }
  return {
    id,
    task,
    cron,
    every,
    at,
    timeZone: zone,
    missed,
    conversation: schedule,
    model,
    profile,
    cwd: cwd === undefined ? undefined : resolve(cwd),
    tell,
    tools: tools?.split(",").filter((name) => name !== ""),
    retries: retries === undefined ? undefined : numberOf(retries, "retries"),
    maxTokensPerDay: maxTokens === undefined ? undefined : numberOf(maxTokens, "max-tokens"),
    maxUsdPerDay: maxUsd === undefined ? undefined : dollarsOf(maxUsd),
  };
}

function numberOf(given: string, name: string): number {
  if (/^\d{1,12}$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is not a whole number; write such as --${name} 3`);
}

function dollarsOf(given: string): number {
  if (/^\d{1,7}(?:\.\d{1,6})?$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is not an amount in US dollars; write such as --max-usd 0.50`);
}
