import { isPassing } from "@incipit/gateway-protocol";
import { errorMessage, type Versioned } from "@incipit/kernel";
import type { ConfiguredJob } from "./configuration.ts";
import type { CronContext } from "./cron-context.ts";
import { newSchedule } from "./new-schedule.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { StoredSchedule } from "./stored.ts";

const pageLimit = 1_000;

/**
 * Takes over what the configuration says: a job whose times are as before keeps what it has missed. One that cannot be taken over
 * keeps no other from it. Rejects with what passes.
 */
export async function takeConfigured(
  context: CronContext,
  store: ScheduleStore,
  jobs: readonly ConfiguredJob[],
): Promise<void> {
  for (const job of jobs) {
    try {
      await takeJob(context, store, job);
    } catch (error) {
      if (isPassing(error)) throw error;
      const { id } = job.definition;
      context.log.error(
        `The job "${id}" of the configuration cannot be taken over: what is stored of it stays as it is`,
        { error: errorMessage(error) },
      );
    }
  }
  await removeOthers(store, new Set(jobs.map(({ definition }) => definition.id)));
}

async function takeJob(context: CronContext, store: ScheduleStore, job: ConfiguredJob): Promise<void> {
  const { id } = job.definition;
  const stored = await store.find(id);
  if (stored?.value.source === "api") {
    context.log.error(
      `The job "${id}" of the configuration is not used: a schedule with this id was made over the API; delete that one, or rename the job`,
    );
    return;
  }
  const schedule = scheduleOf(context, job, stored);
  if (stored !== undefined && JSON.stringify(stored.value) === JSON.stringify(schedule)) return;
  await store.put(schedule, stored);
}

function scheduleOf(
  context: CronContext,
  { definition, paused }: ConfiguredJob,
  stored: Versioned<StoredSchedule> | undefined,
): StoredSchedule {
  const before = stored?.value;
  const isSame = before?.paused === paused && timesText(before.definition) === timesText(definition);
  return isSame ? { ...before, definition } : newSchedule(context, definition, { source: "configuration", paused });
}

function timesText({ cron, every, at, timeZone }: StoredSchedule["definition"]): string {
  return JSON.stringify([cron, every, at, timeZone]);
}

/** Those that the configuration has no longer. */
async function removeOthers(store: ScheduleStore, wanted: ReadonlySet<string>): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await store.page(cursor, pageLimit);
    for (const stored of page) {
      const { source, definition } = stored.value;
      if (source === "configuration" && !wanted.has(definition.id)) await store.remove(stored);
    }
    cursor = page.at(-1)?.value.definition.id;
    if (cursor === undefined || page.length < pageLimit) return;
  }
}
