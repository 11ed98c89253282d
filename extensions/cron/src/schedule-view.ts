import { ownConversationSchema } from "@incipit/gateway-protocol";
import type { Schedule, ScheduleRun } from "@incipit/schema";
import type { CronContext } from "./cron-context.ts";
import { keys, storedNothingSchema, storedRunSchema, type StoredRun, type StoredSchedule } from "./stored.ts";
import { allSchedules } from "./reported-failures.ts";

export async function scheduleView(
  { storage, spending, troubles }: Pick<CronContext, "storage" | "spending" | "troubles">,
  { definition, source, paused, nextMs }: StoredSchedule,
): Promise<Schedule> {
  const { id } = definition;
  const [newest] = await storage.list({ prefix: keys.history(id), limit: 1, reverse: true }, storedNothingSchema);
  const runId = newest?.key.slice(keys.history(id).length);
  const [own, lastRun, today] = await Promise.all([
    storage.get(keys.own(id), ownConversationSchema),
    runId === undefined ? undefined : storage.get(keys.run(runId), storedRunSchema),
    spending.used(id),
  ]);
  return {
    ...definition,
    source,
    paused,
    nextAt: nextMs === null ? null : timestamp(nextMs),
    conversationId: own?.id ?? null,
    lastRun: lastRun === undefined ? null : runView(lastRun),
    tokensToday: today.tokens,
    usdToday: today.usd,
    unpricedToday: today.unpriced,
    problem: troubles.textOf(allSchedules) ?? (runId === undefined ? null : troubles.textOf(runId)),
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

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
