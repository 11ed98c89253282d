import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import type { Schedule, ScheduleRun } from "@incipit/schema";
import { minuteOf } from "../output/minute-of.ts";

const maxReply = 60;
const maxTask = 40;

/** `logs  cron 0 9 * * 1-5 Europe/Berlin  next 2026-11-24 08:00 UTC  last completed, quiet  Look at …` */
export function scheduleLine(schedule: Schedule): string {
  const { id, task, cron, every, timeZone, at, lastRun, tokensToday, usdToday, source } = schedule;
  const when = cron === null ? (every === null ? `at ${at ?? "-"}` : `every ${every}`) : `cron ${cron}`;
  const cells = [
    id.padEnd(16),
    escapeHiddenLine(`${when}${timeZone === null ? "" : ` ${timeZone}`}`).padEnd(28),
    nextOf(schedule).padEnd(25),
    (lastRun === null ? "never ran" : `last ${outcomeOf(lastRun)}`).padEnd(22),
    clippedLine(task, { maxCharacters: maxTask }),
  ];
  const remarks = [
    ...(tokensToday === 0 ? [] : [`${tokensToday.toLocaleString("en-US")} tokens today`]),
    ...(usdToday === 0 ? [] : [`$${usdToday.toFixed(2)} today`]),
    ...(source === "configuration" ? ["configured"] : []),
  ];
  const problem = schedule.problem === null ? "" : `  problem: ${escapeHiddenLine(schedule.problem)}`;
  return `${cells.join("  ")}${remarks.length === 0 ? "" : `  (${remarks.join(", ")})`}${problem}`;
}

export function runLine(run: ScheduleRun): string {
  const { occurrences, attempts, tokens, turnId, conversationId, reply, error } = run;
  const [first] = occurrences;
  const last = occurrences.at(-1);
  const remarks = [
    ...(last?.asked === true ? ["asked for"] : []),
    ...(last?.missed === true ? ["late"] : []),
    ...(occurrences.length > 1 ? [`${occurrences.length} times in one`] : []),
    ...(attempts > 1 ? [`${attempts} tries`] : []),
  ];
  const cells = [
    minuteOf(first?.dueAt ?? run.claimedAt),
    outcomeOf(run).padEnd(18),
    `${tokens.toLocaleString("en-US")} tokens`.padStart(14),
    conversationId === null ? "" : `conversation ${conversationId}`,
    turnId === null ? "" : `turn ${turnId}`,
    remarks.length === 0 ? "" : `(${remarks.join(", ")})`,
    // A run may have both a reply and a failed notification.
    ...[error?.message ?? "", reply ?? ""].map((text) => clippedLine(text, { maxCharacters: maxReply })),
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

function nextOf({ nextAt, paused }: Schedule): string {
  if (paused) return "paused";
  return nextAt === null ? "over" : `next ${minuteOf(nextAt)}`;
}

function outcomeOf({ status, quiet }: ScheduleRun): string {
  return quiet ? `${status}, quiet` : status;
}
