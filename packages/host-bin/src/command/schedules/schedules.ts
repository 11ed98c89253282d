import type { Schedule, ScheduleRun } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type * as z from "zod";
import { printer } from "../output/printer.ts";
import type { Call } from "../registry/command.ts";
import { costLine, todayLine } from "./cost-lines.ts";
import { runLine, scheduleLine } from "./schedule-line.ts";

export async function listSchedules(call: Call): Promise<number> {
  const { show, note } = printer(call);
  let count = 0;
  for await (const schedule of listed(await call.host.client())) {
    show(schedule, scheduleLine);
    count += 1;
  }
  if (count === 0)
    note('There is no schedule; to create one: incipit schedules add NAME "TASK" --cron "0 9 * * 1-5"');
  return 0;
}

export async function runSchedule(call: Call<[name: string]>): Promise<number> {
  const { show, note } = printer(call);
  const [id] = call.words;
  show((await (await call.host.client()).call(routes.runSchedule, { params: { id } })).run, runLine);
  note(`Result: incipit schedules history ${id}`);
  return 0;
}

export async function pauseSchedule(call: Call<[action: "pause" | "resume", name: string]>): Promise<number> {
  const [action, id] = call.words;
  const request = { params: { id }, body: { paused: action === "pause" } };
  printer(call).show(
    (await (await call.host.client()).call(routes.updateSchedule, request)).schedule,
    scheduleLine,
  );
  return 0;
}

export async function removeSchedule(call: Call<[name: string]>): Promise<number> {
  const [id] = call.words;
  const answer = await (await call.host.client()).call(routes.deleteSchedule, { params: { id } });
  printer(call).show(answer, () => `Removed "${id}" and its history; its conversations are kept`);
  return 0;
}

export async function scheduleHistory(call: Call<[name: string]>): Promise<number> {
  const { show, note } = printer(call);
  const [id] = call.words;
  let count = 0;
  for await (const run of runsOf(await call.host.client(), id)) {
    show(run, runLine);
    count += 1;
  }
  if (count === 0) note(`"${id}" has not run yet; to run it now: incipit schedules run ${id}`);
  return 0;
}

export async function autonomousCosts(call: Call): Promise<number> {
  const { show } = printer(call);
  let isFirst = true;
  for await (const { unattended, costs } of costPages(await call.host.client())) {
    if (isFirst) show(unattended, todayLine);
    for (const cost of costs) show(cost, costLine);
    isFirst = false;
  }
  return 0;
}

async function* listed(client: Client): AsyncGenerator<Schedule> {
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = await client.call(routes.listSchedules, { query });
    yield* page.schedules;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

type CostPage = z.infer<typeof routes.getUnattended.response>;

async function* costPages(client: Client): AsyncGenerator<CostPage> {
  for (let cursor: string | undefined; ;) {
    const page = await client.call(routes.getUnattended, { query: cursor === undefined ? {} : { cursor } });
    yield page;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

async function* runsOf(client: Client, id: string): AsyncGenerator<ScheduleRun> {
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = await client.call(routes.listScheduleRuns, { params: { id }, query });
    yield* page.runs;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}
