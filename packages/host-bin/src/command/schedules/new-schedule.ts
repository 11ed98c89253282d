import { suggestion } from "@incipit/common/suggestion";
import type { CreateScheduleRequest } from "@incipit/schema";
import { resolve } from "node:path";
import { UsageError, type Arguments } from "../arguments/arguments.ts";

const policies = ["skip", "once", "all"] as const;
const optionsOfAdd = [
  "cron",
  "every",
  "at",
  "zone",
  "missed",
  "conversation",
  "model",
  "profile",
  "cwd",
  "tell",
  "tools",
  "retries",
  "maxTokens",
  "maxUsd",
] as const satisfies readonly (keyof Arguments)[];

export function newSchedule(
  { id, task }: { readonly id: string; readonly task: string },
  args: Arguments,
): CreateScheduleRequest {
  const {
    cron,
    every,
    at,
    zone,
    missed,
    conversation,
    model,
    profile,
    cwd,
    tell,
    tools,
    retries,
    maxTokens,
    maxUsd,
  } = args;
  const times = Object.entries({ cron, every, at }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (times.length !== 1) {
    const what = times.length === 0 ? "When?" : `${times.map((name) => `"--${name}"`).join(" and ")} are too many:`;
    throw new UsageError(`${what} Write one of --cron "0 9 * * 1-5", --every 15m and --at 2026-12-24T18:00`);
  }
  return {
    id,
    task,
    ...(cron === undefined ? {} : { cron }),
    ...(every === undefined ? {} : { every }),
    ...(at === undefined ? {} : { at }),
    ...(zone === undefined ? {} : { timeZone: zone }),
    ...(missed === undefined ? {} : { missed: policyOf(missed) }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(model === undefined ? {} : { model }),
    ...(profile === undefined ? {} : { profile }),
    ...(cwd === undefined ? {} : { cwd: resolve(cwd) }),
    ...(tell === undefined ? {} : { tell }),
    ...(tools === undefined ? {} : { tools: tools.split(",").filter((name) => name !== "") }),
    ...(retries === undefined ? {} : { retries: numberOf(retries, "retries") }),
    ...(maxTokens === undefined ? {} : { maxTokensPerDay: numberOf(maxTokens, "max-tokens") }),
    ...(maxUsd === undefined ? {} : { maxUsdPerDay: dollarsOf(maxUsd) }),
  };
}

export function refuseOptionsOfAdd(args: Arguments, action: string): void {
  const stray = optionsOfAdd.find((name) => args[name] !== undefined);
  if (stray === undefined) return;
  const option = stray.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`"--${option}" means nothing to "schedules ${action}"; it is for "schedules add"`);
}

function policyOf(given: string): (typeof policies)[number] {
  const policy = policies.find((known) => known === given);
  if (policy !== undefined) return policy;
  throw new UsageError(
    `"${given}" is not a policy${suggestion(given, policies)}; write --missed ${policies.join(", ")}`,
  );
}

function numberOf(given: string, name: string): number {
  if (/^\d{1,12}$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is not a whole number; write such as --${name} 3`);
}

function dollarsOf(given: string): number {
  if (/^\d{1,7}(?:\.\d{1,6})?$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is not an amount in US dollars; write such as --max-usd 0.50`);
}
