import type { UnattendedCost, UnattendedState } from "@incipit/schema";
import { routes, pagesOf } from "@incipit/transport-contract";
import { printer } from "../output/printer.ts";
import type { Call } from "../registry/command.ts";
import { runLine, scheduleLine } from "./schedule-line.ts";

export async function listSchedules(call: Call): Promise<void> {
  const { show, note } = printer(call);
  const client = await call.host.client();
  let count = 0;
  for await (const { schedules } of pagesOf((cursor) => client.call(routes.listSchedules, { query: { cursor } }))) {
    for (const schedule of schedules) show(schedule, scheduleLine);
    count += schedules.length;
  }
  if (count === 0)
    note('There is no schedule; to create one: incipit schedules add NAME "TASK" --cron "0 9 * * 1-5"');
}

export async function runSchedule(call: Call<[name: string]>): Promise<void> {
  const { show, note } = printer(call);
  const [id] = call.words;
  show((await (await call.host.client()).call(routes.runSchedule, { params: { id } })).run, runLine);
  note(`Result: incipit schedules history ${id}`);
}

export async function pauseSchedule(call: Call<[action: "pause" | "resume", name: string]>): Promise<void> {
  const [action, id] = call.words;
  const request = { params: { id }, body: { paused: action === "pause" } };
  printer(call).show(
    (await (await call.host.client()).call(routes.updateSchedule, request)).schedule,
    scheduleLine,
  );
}

export async function removeSchedule(call: Call<[name: string]>): Promise<void> {
  const [id] = call.words;
  const answer = await (await call.host.client()).call(routes.deleteSchedule, { params: { id } });
  printer(call).show(answer, () => `Removed "${id}" and its history; its conversations are kept`);
}

export async function scheduleHistory(call: Call<[name: string]>): Promise<void> {
  const { show, note } = printer(call);
  const [id] = call.words;
  const client = await call.host.client();
  let count = 0;
  for await (const { runs } of pagesOf((cursor) =>
    client.call(routes.listScheduleRuns, { params: { id }, query: { cursor } }),
  )) {
    for (const run of runs) show(run, runLine);
    count += runs.length;
  }
  if (count === 0) note(`"${id}" has not run yet; to run it now: incipit schedules run ${id}`);
}

export async function autonomousCosts(call: Call): Promise<void> {
  const { show } = printer(call);
  const client = await call.host.client();
  let isFirst = true;
  for await (const { unattended, costs } of pagesOf((cursor) =>
    client.call(routes.getUnattended, { query: { cursor } }),
  )) {
    if (isFirst) show(unattended, todayLine);
    for (const cost of costs) show(cost, costLine);
    isFirst = false;
  }
}

type Spent = Pick<UnattendedCost, "tokens" | "usd" | "unpriced">;

/** `today  12,400 tokens  $0.031 of $2.50 (days of Europe/Berlin)` */
function todayLine({ today, maxTokensPerDay, maxUsdPerDay, timeZone }: UnattendedState): string {
  const ofTokens = maxTokensPerDay === null ? "" : ` of ${maxTokensPerDay.toLocaleString("en-US")}`;
  const ofUsd = maxUsdPerDay === null ? "" : ` of $${maxUsdPerDay.toFixed(2)}`;
  const bound = maxTokensPerDay === null && maxUsdPerDay === null ? "; without a bound" : "";
  return `today  ${tokensOf(today)} tokens${ofTokens}  ${usdOf(today)}${ofUsd}${unpricedOf(today)}  (days of ${timeZone}${bound})`;
}

function costLine(cost: UnattendedCost): string {
  const whose = cost.schedule ?? "(heartbeat)";
  return `${cost.day}  ${whose.padEnd(16)}  ${tokensOf(cost).padStart(11)} tokens  ${usdOf(cost)}${unpricedOf(cost)}`;
}

function tokensOf({ tokens }: Spent): string {
  return tokens.toLocaleString("en-US");
}

/** Four decimals below a cent, typical for a day of a small model. */
function usdOf({ usd }: Spent): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

function unpricedOf({ unpriced }: Spent): string {
  return unpriced === 0 ? "" : ` and ${unpriced} ${unpriced === 1 ? "call" : "calls"} without a price`;
}
