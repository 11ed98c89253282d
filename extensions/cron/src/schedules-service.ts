import {
  createScheduleRequestSchema,
  type CreateScheduleRequest,
  type PageQuery,
  type Schedule,
  type ScheduleDefinition,
  type ScheduleRun,
  type SchedulesQuery,
  type UpdateScheduleRequest,
} from "@incipit/schema";
import { ServiceError, type Page, type Schedules } from "@incipit/service-contract";
import type { Claims } from "./claims.ts";
import type { CronContext } from "./cron-context.ts";
import { invalidSchedule, newSchedule } from "./new-schedule.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import { runView, scheduleView } from "./schedule-view.ts";
import { keys, storedNothingSchema, storedRunSchema, type StoredRun, type StoredSchedule } from "./stored.ts";

export interface SchedulesOptions {
  readonly store: ScheduleStore;
  readonly claims: Claims;
  readonly onChange: (run?: StoredRun) => void;
}

export class SchedulesService implements Schedules {
  readonly #context: CronContext;
  readonly #options: SchedulesOptions;

  constructor(context: CronContext, options: SchedulesOptions) {
    this.#context = context;
    this.#options = options;
  }

  async list({ cursor, limit }: SchedulesQuery): Promise<Page<Schedule>> {
    const found = await this.#options.store.page(cursor, limit);
    const items = await Promise.all(found.map(({ value }) => scheduleView(this.#context, value)));
    const last = items.at(-1);
    return last === undefined || items.length < limit ? { items } : { items, nextCursor: last.id };
  }

  async get(id: string): Promise<Schedule> {
    return scheduleView(this.#context, (await this.#options.store.get(id)).value);
  }

  async create(request: CreateScheduleRequest): Promise<Schedule> {
    const definition = createScheduleRequestSchema.parse(request);
    const { id, conversation } = definition;
    const schedule = newSchedule(this.#context, definition, { source: "api", paused: false });
    if (schedule.nextMs === null) throw invalidSchedule(id, neverComes(definition));
    if (conversation !== "own" && conversation !== "fresh")
      await this.#context.conversations.get().get(conversation);
    if (!(await this.#options.store.put(schedule, undefined))) {
      const message = `There is a schedule "${id}" already; delete it first, or use another id`;
      throw new ServiceError("SCHEDULE_EXISTS", message);
    }
    this.#options.onChange();
    return scheduleView(this.#context, schedule);
  }

  async update(id: string, { paused }: UpdateScheduleRequest): Promise<Schedule> {
    const { store, claims, onChange } = this.#options;
    for (;;) {
      const stored = await store.get(id);
      const { value } = stored;
      assertNotConfigured(value);
      if (value.paused === paused) return scheduleView(this.#context, value);
      const nowMs = this.#context.clock.now();
      const nextMs = paused ? null : (claims.timesOf(value).next(nowMs) ?? null);
      const schedule = { ...value, paused, nextMs };
      if (!(await store.put(schedule, stored))) continue; // It ran concurrently.
      onChange();
      return scheduleView(this.#context, schedule);
    }
  }

  async delete(id: string): Promise<void> {
    const { store } = this.#options;
    const stored = await store.get(id);
    assertNotConfigured(stored.value);
    await store.remove(stored);
  }

  async run(id: string): Promise<ScheduleRun> {
    const { store, claims, onChange } = this.#options;
    for (;;) {
      const run = await claims.claimNow(await store.get(id));
      if (run === undefined) continue; // One of its times was claimed concurrently.
      onChange(run);
      return runView(run);
    }
  }

  async runs(id: string, { cursor, limit }: PageQuery): Promise<Page<ScheduleRun>> {
    await this.#options.store.get(id);
    const { storage } = this.#context;
    const prefix = keys.history(id);
    const range = cursor === undefined ? { prefix } : { start: prefix, end: `${prefix}${cursor}` };
    const found = await storage.list({ ...range, limit, reverse: true }, storedNothingSchema);
    const runIds = found.map(({ key }) => key.slice(prefix.length));
    const runs = await Promise.all(runIds.map((runId) => storage.get(keys.run(runId), storedRunSchema)));
    const items = runs.flatMap((run) => (run === undefined ? [] : [runView(run)]));
    const last = runIds.at(-1);
    return last === undefined || found.length < limit ? { items } : { items, nextCursor: last };
  }
}

function assertNotConfigured({ source, definition: { id } }: StoredSchedule): void {
  if (source === "api") return;
  const message = `The schedule "${id}" is in the configuration: change [cron.jobs.${id}] there, and restart the host`;
  throw new ServiceError("SCHEDULE_CONFIGURED", message);
}

function neverComes({ cron, at }: ScheduleDefinition): string {
  return at === null
    ? `"cron" is ${JSON.stringify(cron)}, which never comes; write a day that exists`
    : `"at" is ${JSON.stringify(at)}, which is over; write a time that is still to come`;
}
