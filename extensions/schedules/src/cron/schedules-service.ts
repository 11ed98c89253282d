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
import type { EngineContext } from "../engine/engine-context.ts";
import type { Engine } from "../engine/engine.ts";
import { invalidSchedule, newSchedule } from "../engine/new-schedule.ts";
import type { StoredSchedule } from "../engine/stored.ts";
import { taskLine } from "./cron-kind.ts";
import { runView, scheduleView } from "./schedule-view.ts";

export class SchedulesService implements Schedules {
  readonly #context: EngineContext;
  readonly #engine: Engine;

  constructor(context: EngineContext, engine: Engine) {
    this.#context = context;
    this.#engine = engine;
  }

  async list({ cursor, limit }: SchedulesQuery): Promise<Page<Schedule>> {
    const found = await this.#engine.store.page(cursor, limit);
    const items = await Promise.all(found.map(({ value }) => this.#view(value)));
    const last = items.at(-1);
    return last === undefined || items.length < limit ? { items } : { items, nextCursor: last.id };
  }

  async get(id: string): Promise<Schedule> {
    return this.#view((await this.#engine.store.get(id)).value);
  }

  async create(request: CreateScheduleRequest): Promise<Schedule> {
    const definition = createScheduleRequestSchema.parse(request);
    const { id, conversation } = definition;
    const schedule = newSchedule(this.#context, definition, { source: "api", paused: false });
    if (schedule.nextMs === null) throw invalidSchedule(id, neverComes(definition));
    if (conversation !== "own" && conversation !== "fresh")
      await this.#context.conversations.get().get(conversation);
    if (!(await this.#engine.store.put(schedule, undefined))) {
      const message = `The schedule "${id}" already exists; delete it first, or use another id`;
      throw new ServiceError("SCHEDULE_EXISTS", message);
    }
    this.#engine.wake();
    return this.#view(schedule);
  }

  async update(id: string, { paused }: UpdateScheduleRequest): Promise<Schedule> {
    const { store, claims } = this.#engine;
    for (;;) {
      const stored = await store.get(id);
      const { value } = stored;
      assertNotConfigured(value);
      if (value.paused === paused) return this.#view(value);
      const nowMs = this.#context.clock.now();
      const nextMs = paused ? null : (claims.timesOf(value).next(nowMs) ?? null);
      const schedule = { ...value, paused, nextMs };
      if (!(await store.put(schedule, stored))) continue; // It ran concurrently.
      this.#engine.wake();
      return this.#view(schedule);
    }
  }

  async delete(id: string): Promise<void> {
    const { store } = this.#engine;
    const stored = await store.get(id);
    assertNotConfigured(stored.value);
    await store.remove(stored);
  }

  async run(id: string): Promise<ScheduleRun> {
    const { store, claims } = this.#engine;
    for (;;) {
      const schedule = await store.get(id);
      const run = await claims.claimNow(schedule, taskLine(schedule.value.definition));
      if (run === undefined) continue; // Claimed concurrently.
      this.#engine.wake(run);
      return runView(run);
    }
  }

  async runs(id: string, page: PageQuery): Promise<Page<ScheduleRun>> {
    const { store } = this.#engine;
    await store.get(id);
    const found = await store.runs(id, page);
    return { ...found, items: found.items.map(runView) };
  }

  #view(schedule: StoredSchedule): Promise<Schedule> {
    return scheduleView(this.#context, this.#engine.store, schedule);
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
