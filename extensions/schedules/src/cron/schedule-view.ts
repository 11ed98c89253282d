import type { Schedule, ScheduleRun } from "@incipit/schema";
import { scheduleSpendingId } from "../budget/spending-ledger.ts";
import type { EngineContext } from "../engine/engine-context.ts";
import { allSchedules } from "../engine/reported-failures.ts";
import type { ScheduleStore } from "../engine/schedule-store.ts";
import { timestamp } from "../times/time-zone.ts";
import type { StoredRun, StoredSchedule } from "../engine/stored.ts";

export async function scheduleView(
  { budget, failures }: Pick<EngineContext, "budget" | "failures">,
  store: ScheduleStore,
  { definition, source, paused, nextMs }: StoredSchedule,
): Promise<Schedule> {
  const { id } = definition;
  const [own, lastRun, today] = await Promise.all([
    store.ownConversation(id),
    store.lastRun(id),
    budget.ledger.used(scheduleSpendingId(id)),
  ]);
  return {
    ...definition,
    source,
    paused,
    nextAt: nextMs === null ? null : timestamp(nextMs),
    conversationId: own ?? null,
    lastRun: lastRun === undefined ? null : runView(lastRun),
    tokensToday: today.tokens,
    usdToday: today.usd,
    unpricedToday: today.unpriced,
    problem: failures.textOf(allSchedules) ?? (lastRun === undefined ? null : failures.textOf(lastRun.id)),
  };
}

export function runView(run: StoredRun): ScheduleRun {
  const { id, occurrences, status, conversationId, turnId, attempts, reply, quiet, tokens, usd, unpriced, error } =
    run;
  return {
    id,
    occurrences: occurrences.map(({ scheduleId, dueMs, missed, asked }) => ({
      scheduleId,
      dueAt: timestamp(dueMs),
      missed,
      asked,
    })),
    status,
    conversationId,
    turnId,
    attempts,
    claimedAt: timestamp(run.claimedMs),
    endedAt: run.endedMs === null ? null : timestamp(run.endedMs),
    reply,
    quiet,
    tokens,
    usd,
    unpriced,
    error,
  };
}
