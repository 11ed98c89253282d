import type { HeartbeatWake, Schedule, ScheduleRun } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { count, dollars } = amounts;

export const scheduleWords = {
  title: "Schedules",
  intro: "Autonomous runs: at set times, the host runs the heartbeat and tasks.",
  opensConversation: "Its conversation",
  tokens: (tokens: number) => (tokens === 1 ? "1 token" : `${count(tokens)} tokens`),
  tokensToday: "Tokens today",
  costToday: "Cost today",
  cost: (usd: number, unpriced: number): string => {
    const calls = unpriced === 1 ? "1 call has" : `${count(unpriced)} calls have`;
    return `${dollars(usd)}${unpriced === 0 ? "" : `, and ${calls} no known price`}`;
  },
  next: "Next",
  tells: "Reports to",
  heartbeat: {
    title: "Heartbeat",
    off: "The heartbeat is off. To have a model check HEARTBEAT.md every half hour and report what needs attention, add these lines to the configuration:",
    lines: '[heartbeat]\nenabled = true\nevery = "30m"',
    on: "A model checks HEARTBEAT.md at set times and reports what needs attention.",
    never: "No heartbeat yet.",
    wake: "Run now",
    woken: "Running: the result will appear here.",
    last: "Last run",
    alert: "Last alert",
    repeated: "Same as the previous alert.",
    wakes: "Results",
    none: "No results yet.",
  },
  outcomes: {
    quiet: "Nothing needs attention",
    alert: "Something needs attention",
    failed: "Failed",
    cancelled: "Stopped by a person",
    interrupted: "Interrupted: the host stopped",
    empty: "Nothing to do",
    busy: "Its conversation was busy",
    budget: "Daily budget reached",
    missed: "Missed: the host was not running",
  } satisfies Record<Exclude<HeartbeatWake["outcome"], null>, string>,
  underWay: "Running",
  tasks: "Tasks",
  none: "No tasks yet. Create one here, in the configuration, or with “incipit schedules add”.",
  statuses: {
    waiting: "Queued",
    running: "Running",
    completed: "Done",
    failed: "Failed",
    cancelled: "Stopped by a person",
    interrupted: "Interrupted: the host stopped",
    skipped: "Skipped",
  } satisfies Record<ScheduleRun["status"], string>,
  done: (isQuiet: boolean) => (isQuiet ? "Done, nothing to report" : "Done"),
  asked: "started by a person",
  missed: "late",
  when: ({ cron, every, at, timeZone }: Schedule): string => {
    const zone = timeZone === null ? "" : ` (${timeZone})`;
    if (cron !== null) return `${cron}${zone}`;
    return every === null ? `once, at ${at ?? ""}${zone}` : `every ${every}`;
  },
  paused: "Paused",
  over: "No more runs",
  lastRun: "Last run",
  neverRan: "No run yet.",
  configured: "Defined in the configuration; change it there.",
  history: "Runs",
  run: "Run now",
  started: (id: string) => `“${id}” is running.`,
  pause: "Pause",
  resume: "Resume",
  remove: "Remove…",
  removeTitle: (id: string) => `Remove “${id}”?`,
  removeText: "This deletes the task and its run history. Its conversations are kept.",
  removeAgree: "Remove",
  removed: (id: string) => `“${id}” was removed.`,
  more: "Show more",
  new: {
    title: "New task",
    id: "Name",
    idHint: "such as “daily-report”",
    task: "Instructions",
    kinds: { cron: "Cron", every: "Interval", at: "Once" },
    kind: "When",
    hints: {
      cron: "minute, hour, day, month, weekday: 0 9 * * 1-5",
      every: "a number with s, m, h or d: 15m",
      at: "2026-12-24T18:00",
    },
    value: { cron: "Cron expression", every: "Every", at: "Date and time" },
    timeZone: "Time zone",
    make: "Create the task",
    made: (id: string) => `“${id}” was created.`,
  },
} as const;
