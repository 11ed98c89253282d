import { suggestion } from "@incipit/common/suggestion";
import type { Schedule, ScheduleRun } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type * as z from "zod";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { costLine, todayLine } from "./cost-lines.ts";
import { newSchedule, refuseOptionsOfAdd } from "./new-schedule.ts";
import { runLine, scheduleLine } from "./schedule-line.ts";

const actions = {
  list: [],
  add: ["ID", "TASK"],
  run: ["ID"],
  pause: ["ID"],
  resume: ["ID"],
  remove: ["ID"],
  history: ["ID"],
  costs: [],
} as const satisfies Record<string, readonly string[]>;
type Action = keyof typeof actions;

export async function schedules(client: Client, args: Arguments, output: Output): Promise<number> {
  const { action, id, task } = understood(args);
  const { outLine, outRow, errLine } = output;
  const params = { id };
  const show = (schedule: Schedule): void =>
    args.isJson ? outLine(JSON.stringify(schedule)) : outRow(scheduleLine(schedule));
  const showRun = (run: ScheduleRun): void => (args.isJson ? outLine(JSON.stringify(run)) : outRow(runLine(run)));
  const tell = (sentence: string): void => {
    if (!args.isJson) errLine(sentence);
  };
  switch (action) {
    case "list": {
      let count = 0;
      for await (const schedule of listed(client)) {
        show(schedule);
        count += 1;
      }
      if (count === 0) tell('There is no schedule; make one: incipit schedules add ID "TASK" --cron "0 9 * * 1-5"');
      return 0;
    }
    case "add": {
      const body = newSchedule({ id, task }, args);
      show((await client.call(routes.createSchedule, { body })).schedule);
      tell(`Its times come while a host runs (incipit serve); to run it now: incipit schedules run ${id}`);
      return 0;
    }
    case "run": {
      const { run } = await client.call(routes.runSchedule, { params });
      showRun(run);
      tell(`What comes of it: incipit schedules history ${id}`);
      return 0;
    }
    case "pause":
    case "resume": {
      const body = { paused: action === "pause" };
      show((await client.call(routes.updateSchedule, { params, body })).schedule);
      return 0;
    }
    case "remove": {
      const answer = await client.call(routes.deleteSchedule, { params });
      outLine(args.isJson ? JSON.stringify(answer) : `Removed "${id}" and its history; its conversations stay`);
      return 0;
    }
    case "history": {
      let count = 0;
      for await (const run of runsOf(client, id)) {
        showRun(run);
        count += 1;
      }
      if (count === 0) tell(`"${id}" has not run yet; to run it now: incipit schedules run ${id}`);
      return 0;
    }
    case "costs": {
      let count = 0;
      for await (const { unattended, costs } of costPages(client)) {
        if (count === 0) outLine(args.isJson ? JSON.stringify(unattended) : todayLine(unattended));
        for (const cost of costs) {
          if (args.isJson) outLine(JSON.stringify(cost));
          else outRow(costLine(cost));
        }
        count += 1;
      }
      return 0;
    }
  }
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

function understood(args: Arguments): { readonly action: Action; readonly id: string; readonly task: string } {
  const [word = "list", id = "", task = ""] = args.words;
  if (!isAction(word))
    throw new UsageError(`There is no "schedules ${word}"${suggestion(word, Object.keys(actions))}`);
  const takes: readonly string[] = actions[word];
  const missing = takes[Math.max(0, args.words.length - 1)];
  if (missing !== undefined) {
    const times = word === "add" ? ["--cron EXPRESSION, --every TIME or --at TIME"] : [];
    const usage = ["incipit schedules", word, ...takes, ...times].join(" ");
    throw new UsageError(`"schedules ${word}" needs ${missing}; write: ${usage}`);
  }
  const stray = args.words[takes.length + 1];
  if (stray !== undefined) {
    const hint = word === "add" ? "; put the task in quotes" : "";
    throw new UsageError(`"schedules ${word}" takes no "${stray}"${hint}`);
  }
  if (word !== "add") refuseOptionsOfAdd(args, word);
  return { action: word, id, task };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
