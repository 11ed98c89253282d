import type { HeartbeatWake, Schedule, ScheduleRun } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { count, dollars } = amounts;

export const scheduleWords = {
  title: "Schedules",
  intro: "What the host does at its time, when nobody is there: it wakes a model, and gives it tasks.",
  opensConversation: "Its conversation",
  tokens: (tokens: number) => (tokens === 1 ? "1 token" : `${count(tokens)} tokens`),
  tokensToday: "Tokens today",
  costToday: "Cost today",
  cost: (usd: number, unpriced: number): string => {
    const calls = unpriced === 1 ? "1 call has" : `${count(unpriced)} calls have`;
    return `${dollars(usd)}${unpriced === 0 ? "" : `, and ${calls} no known price`}`;
  },
  next: "Next",
  tells: "Tells",
  heartbeat: {
    title: "Heartbeat",
    off: "The heartbeat is off. With these lines in the configuration, a model looks every half hour whether something in HEARTBEAT.md needs attention, and says so:",
    lines: '[heartbeat]\nenabled = true\nevery = "30m"',
    on: "A model looks at HEARTBEAT.md at its times, and says what needs attention.",
    never: "It has not looked yet.",
    wake: "Wake it now",
    woken: "It is awake: what it says stands here in a moment.",
    last: "Last time",
    alert: "What it said last that needs attention",
    repeated: "The same as the alert before.",
    wakes: "What came of its times",
    none: "Nothing came of any time yet.",
  },
  outcomes: {
    quiet: "Nothing needs attention",
    alert: "Something needs attention",
    failed: "Failed",
    cancelled: "Stopped by a person",
    interrupted: "The host stopped meanwhile",
    empty: "There was nothing to do",
    busy: "Its conversation was busy",
    budget: "A bound of the day is reached",
    missed: "The host did not run at that time",
  } satisfies Record<Exclude<HeartbeatWake["outcome"], null>, string>,
  underWay: "Under way",
  tasks: "Tasks",
  none: "There are no tasks yet. Make one here, in the configuration, or with “incipit schedules add”.",
  statuses: {
    waiting: "Waits to run",
    running: "Runs",
    completed: "Done",
    failed: "Failed",
    cancelled: "Stopped by a person",
    interrupted: "The host stopped meanwhile",
    skipped: "Left out",
  } satisfies Record<ScheduleRun["status"], string>,
  done: (isQuiet: boolean) => (isQuiet ? "Done, all is well" : "Done"),
  asked: "a person asked for it",
  missed: "later than its time",
  when: ({ cron, every, at, timeZone }: Schedule): string => {
    const zone = timeZone === null ? "" : ` (${timeZone})`;
    if (cron !== null) return `${cron}${zone}`;
    return every === null ? `once, at ${at ?? ""}${zone}` : `every ${every}`;
  },
  paused: "Paused",
  over: "No time comes any more",
  lastRun: "Last run",
  neverRan: "It has not run yet.",
  configured: "From the configuration: it is changed there.",
  history: "What came of its times",
  run: "Run now",
  started: (id: string) => `“${id}” runs now.`,
  pause: "Pause",
  resume: "Let it go on",
  remove: "Remove…",
  removeTitle: (id: string) => `Remove “${id}”?`,
  removeText: "It does not run any more, and what is known of its runs is gone. Its conversations stay.",
  removeAgree: "Remove it",
  removed: (id: string) => `“${id}” is removed.`,
  more: "Show more",
  new: {
    title: "Make a task",
    id: "Name",
    idHint: "such as “daily-report”",
    task: "What the model is to do",
    kinds: { cron: "At times", every: "Again and again", at: "Once" },
    kind: "When",
    hints: {
      cron: "minute, hour, day, month, weekday: 0 9 * * 1-5",
      every: "a number with s, m, h or d: 15m",
      at: "2026-12-24T18:00",
    },
    value: { cron: "Cron expression", every: "Every", at: "Date and time" },
    timeZone: "Time zone",
    make: "Make the task",
    made: (id: string) => `“${id}” is made.`,
  },
} as const;
