import { errorMessage, type Versioned } from "@incipit/kernel";
import type { ScheduleDefinition } from "@incipit/schema";
import { isTransient } from "@incipit/service-contract";
import type { EngineContext } from "./engine-context.ts";
import { newSchedule } from "./new-schedule.ts";
import { timesText, type ScheduleStore } from "./schedule-store.ts";
import type { StoredSchedule } from "./stored.ts";

const pageLimit = 1_000;

export interface ConfiguredJob {
  readonly definition: ScheduleDefinition;
  readonly paused: boolean;
}

/**
 * Jobs share disk syncs. A job with unchanged times keeps its missed runs, and an `at` job is due however late it is
 * first stored. Rejects with transient errors.
 */
export async function takeConfigured(
  context: EngineContext,
  store: ScheduleStore,
  jobs: readonly ConfiguredJob[],
): Promise<void> {
  const known = await allOf(store);
  const taken = await Promise.allSettled(jobs.map((job) => takeUnlessBroken(context, store, { job, known })));
  for (const result of taken) if (result.status === "rejected") throw result.reason;
  for (const { definition } of jobs) known.delete(definition.id);
  for (const stored of known.values()) if (stored.value.source === "configuration") await store.remove(stored);
}

interface TakenJob {
  readonly job: ConfiguredJob;
  readonly known: ReadonlyMap<string, Versioned<StoredSchedule>>;
}

async function takeUnlessBroken(context: EngineContext, store: ScheduleStore, taken: TakenJob): Promise<void> {
  try {
    await takeJob(context, store, taken);
  } catch (error) {
    if (isTransient(error)) throw error;
    const { id } = taken.job.definition;
    context.log.error(`Cannot apply the job "${id}" of the configuration; its stored schedule is unchanged`, {
      error: errorMessage(error),
    });
  }
}

async function takeJob(context: EngineContext, store: ScheduleStore, { job, known }: TakenJob): Promise<void> {
  const { id } = job.definition;
  const stored = known.get(id) ?? (await store.find(id));
  if (stored?.value.source === "api") {
    context.log.error(
      `The job "${id}" of the configuration is not used: a schedule with this id was made over the API; delete that one, or rename the job`,
    );
    return;
  }
  const before = stored?.value;
  const schedule = await scheduleOf(context, store, { job, before });
  if (JSON.stringify(before) !== JSON.stringify(schedule)) await store.put(schedule, stored);
}

async function scheduleOf(
  context: EngineContext,
  store: ScheduleStore,
  { job, before }: { readonly job: ConfiguredJob; readonly before: StoredSchedule | undefined },
): Promise<StoredSchedule> {
  const { definition, paused } = job;
  const hasSameTimes = before !== undefined && timesText(before.definition) === timesText(definition);
  if (hasSameTimes && before.paused === paused) return { ...before, definition };
  const isPastDue = !hasSameTimes && !(await store.isOver(definition));
  return newSchedule(context, definition, { source: "configuration", paused, isPastDue });
}

async function allOf(store: ScheduleStore): Promise<Map<string, Versioned<StoredSchedule>>> {
  const found = new Map<string, Versioned<StoredSchedule>>();
  for (let cursor: string | undefined; ;) {
    const page = await store.page(cursor, pageLimit);
    for (const stored of page) found.set(stored.value.definition.id, stored);
    cursor = page.at(-1)?.value.definition.id;
    if (cursor === undefined || page.length < pageLimit) return found;
  }
}
