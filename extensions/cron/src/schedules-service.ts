import { dayAt } from "@incipit/gateway-protocol";
import type { StorageWrite, Versioned } from "@incipit/kernel";
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
import { rescheduled, type Claims } from "./claims.ts";
import type { CronContext } from "./cron-context.ts";
import type { ConfiguredJob } from "./configuration.ts";
import {
  keys,
  storedConversationSchema,
  storedNothingSchema,
  storedRunSchema,
  storedScheduleSchema,
  storedTokensSchema,
  type StoredRun,
  type StoredSchedule,
} from "./stored.ts";
import { TimesProblem } from "./times.ts";

/** Schedules as they are stored, those of the configuration too. */
export class StoredSchedules implements Schedules {
  readonly #context: CronContext;
  readonly #claims: Claims;
  /** Something is due at another time than it was, or a run is to begin. */
  readonly #onChange: (run?: StoredRun) => void;

  constructor(context: CronContext, claims: Claims, onChange: (run?: StoredRun) => void) {
    this.#context = context;
    this.#claims = claims;
    this.#onChange = onChange;
  }

  async list({ cursor, limit }: SchedulesQuery): Promise<Page<Schedule>> {
    const { prefix, start, end } = schedulesRange(cursor);
    const range = start === undefined ? { prefix } : { start, end };
    const found = await this.#context.storage.list(
      { ...range, limit, onInvalid: (key, error) => this.#tell(key, error) },
      storedScheduleSchema,
    );
    const items = await Promise.all(found.map(({ value }) => this.#view(value)));
    const last = items.at(-1);
    return last === undefined || items.length < limit ? { items } : { items, nextCursor: last.id };
  }

  async get(id: string): Promise<Schedule> {
    return this.#view((await this.#stored(id)).value);
  }

  async create(request: CreateScheduleRequest): Promise<Schedule> {
    const definition = createScheduleRequestSchema.parse(request);
    const { id, conversation } = definition;
    const { storage, conversations } = this.#context;
    const schedule = this.#begin(definition, { source: "api", paused: false });
    if (schedule.nextMs === null) throw invalid(id, neverComes(definition));
    if (conversation !== "own" && conversation !== "fresh") await conversations.get().get(conversation);
    const writes = rescheduled(id, schedule, schedule.nextMs);
    const result = await storage.atomic([{ key: keys.schedule(id), version: null }], writes);
    if (result.kind === "conflict") {
      const message = `There is a schedule "${id}" already; delete it first, or use another id`;
      throw new ServiceError("SCHEDULE_EXISTS", message);
    }
    this.#onChange();
    return this.#view(schedule);
  }

  async update(id: string, { paused }: UpdateScheduleRequest): Promise<Schedule> {
    const stored = await this.#stored(id);
    assertNotConfigured(stored.value);
    const { key, value, version } = stored;
    if (value.paused === paused) return this.#view(value);
    const nowMs = this.#context.clock.now();
    const nextMs = paused ? null : (this.#claims.timesOf(value).next(nowMs) ?? null);
    const schedule = { ...value, paused, nextMs };
    const writes = [...notDue(value), ...rescheduled(id, schedule, nextMs)];
    const result = await this.#context.storage.atomic([{ key, version }], writes);
    if (result.kind === "conflict") return this.update(id, { paused }); // It ran meanwhile.
    this.#onChange();
    return this.#view(schedule);
  }

  async delete(id: string): Promise<void> {
    const stored = await this.#stored(id);
    assertNotConfigured(stored.value);
    await this.#remove(stored);
  }

  async run(id: string): Promise<ScheduleRun> {
    for (;;) {
      const run = await this.#claims.claimNow(await this.#stored(id));
      if (run === undefined) continue; // One of its times was claimed meanwhile.
      this.#onChange(run);
      return runView(run);
    }
  }

  async runs(id: string, { cursor, limit }: PageQuery): Promise<Page<ScheduleRun>> {
    await this.#stored(id);
    const prefix = keys.history(id);
    const range = cursor === undefined ? { prefix } : { start: prefix, end: `${prefix}${cursor}` };
    const found = await this.#context.storage.list({ ...range, limit, reverse: true }, storedNothingSchema);
    const runs = await Promise.all(
      found.map(({ key }) => this.#context.storage.get(keys.run(key.slice(prefix.length)), storedRunSchema)),
    );
    const items = runs.flatMap((run) => (run === undefined ? [] : [runView(run)]));
    const last = found.at(-1);
    return last === undefined || found.length < limit
      ? { items }
      : { items, nextCursor: last.key.slice(prefix.length) };
  }

  /** Takes over what the configuration says: a job whose times are as before keeps what it has missed. */
  async take(jobs: readonly ConfiguredJob[]): Promise<void> {
    const { storage, log } = this.#context;
    for (const { definition, paused } of jobs) {
      const { id } = definition;
      const stored = await storage.getVersioned(keys.schedule(id), storedScheduleSchema);
      if (stored?.value.source === "api") {
        log.error(
          `The job "${id}" of the configuration is not used: a schedule with this id was made over the API; delete that one, or rename the job`,
        );
        continue;
      }
      const before = stored?.value;
      const isSame =
        before !== undefined && before.paused === paused && timeKey(before) === timeKey({ definition });
      const schedule = isSame
        ? { ...before, definition }
        : this.#begin(definition, { source: "configuration", paused });
      if (isSame && JSON.stringify(before) === JSON.stringify(schedule)) continue;
      const writes = [
        ...(before === undefined ? [] : notDue(before)),
        ...rescheduled(id, schedule, schedule.nextMs),
      ];
      await storage.atomic([{ key: keys.schedule(id), version: stored?.version ?? null }], writes);
    }
    const wanted = new Set(jobs.map(({ definition }) => definition.id));
    for (let cursor: string | undefined; ;) {
      const { prefix, start, end } = schedulesRange(cursor);
      const range = start === undefined ? { prefix } : { start, end };
      const page = await storage.list(
        { ...range, limit: 1_000, onInvalid: (key, error) => this.#tell(key, error) },
        storedScheduleSchema,
      );
      for (const stored of page)
        if (stored.value.source === "configuration" && !wanted.has(stored.value.definition.id))
          await this.#remove(stored);
      cursor = page.at(-1)?.value.definition.id;
      if (cursor === undefined || page.length < 1_000) return;
    }
  }

  #tell(key: string, error: Error): void {
    this.#context.log.error("A stored schedule cannot be read, and is left out", { key, error: error.message });
  }

  #begin(
    definition: ScheduleDefinition,
    { source, paused }: Pick<StoredSchedule, "source" | "paused">,
  ): StoredSchedule {
    const anchorMs = this.#context.clock.now();
    try {
      const times = this.#claims.timesOf({ definition, anchorMs });
      const nextMs = paused ? null : (times.next(anchorMs) ?? null);
      return { definition, source, paused, anchorMs, nextMs };
    } catch (error) {
      if (error instanceof TimesProblem) throw invalid(definition.id, error.message);
      throw error;
    }
  }

  async #stored(id: string): Promise<Versioned<StoredSchedule>> {
    const stored = await this.#context.storage.getVersioned(keys.schedule(id), storedScheduleSchema);
    if (stored !== undefined) return stored;
    throw new ServiceError("SCHEDULE_UNKNOWN", `No schedule has the id "${id}"`, {
      next: { action: "list-schedules" },
    });
  }

  async #remove({ key, value, version }: Versioned<StoredSchedule>): Promise<void> {
    const { storage } = this.#context;
    const { id } = value.definition;
    const history = await storage.list({ prefix: keys.history(id), limit: 1_000 }, storedNothingSchema);
    const writes: StorageWrite[] = [
      { kind: "delete", key },
      { kind: "delete", key: keys.own(id) },
      ...notDue(value),
      ...history.map((entry) => ({ kind: "delete", key: entry.key }) as const),
      ...(await this.#runsOfNobodyElse(id, history)),
    ];
    const result = await storage.atomic([{ key, version }], writes);
    if (result.kind === "conflict") await this.#remove(await this.#stored(id)); // It ran meanwhile.
  }

  /** Runs that are over, and are in no other schedule's history. */
  async #runsOfNobodyElse(id: string, history: readonly Versioned<object>[]): Promise<readonly StorageWrite[]> {
    const { storage } = this.#context;
    const prefix = keys.history(id);
    const runs = await Promise.all(
      history.map(({ key }) => storage.get(keys.run(key.slice(prefix.length)), storedRunSchema)),
    );
    return runs.flatMap((run) =>
      run === undefined || run.endedMs === null || run.occurrences.some(({ scheduleId }) => scheduleId !== id)
        ? []
        : [{ kind: "delete", key: keys.run(run.id) } as const],
    );
  }

  async #view({ definition, source, paused, nextMs }: StoredSchedule): Promise<Schedule> {
    const { storage, clock, settings } = this.#context;
    const { id } = definition;
    const [newest] = await storage.list({ prefix: keys.history(id), limit: 1, reverse: true }, storedNothingSchema);
    const runId = newest?.key.slice(keys.history(id).length);
    const [own, lastRun, tokens] = await Promise.all([
      storage.get(keys.own(id), storedConversationSchema),
      runId === undefined ? undefined : storage.get(keys.run(runId), storedRunSchema),
      storage.get(keys.tokens(dayAt(clock.now(), settings.timeZone), id), storedTokensSchema),
    ]);
    return {
      ...definition,
      source,
      paused,
      nextAt: nextMs === null ? null : timestamp(nextMs),
      conversationId: own?.id ?? null,
      lastRun: lastRun === undefined ? null : runView(lastRun),
      tokensToday: tokens?.tokens ?? 0,
    };
  }
}

function schedulesRange(cursor: string | undefined): {
  readonly prefix: string;
  readonly start: string | undefined;
  readonly end: string;
} {
  const { schedule: prefix } = keys.prefixes;
  return {
    prefix,
    start: cursor === undefined ? undefined : keys.behind(keys.schedule(cursor)),
    end: `${prefix}~`,
  };
}

function notDue({ definition, nextMs }: StoredSchedule): readonly StorageWrite[] {
  return nextMs === null ? [] : [{ kind: "delete", key: keys.due(nextMs, definition.id) }];
}

function timeKey({ definition: { cron, every, at, timeZone } }: Pick<StoredSchedule, "definition">): string {
  return JSON.stringify([cron, every, at, timeZone]);
}

function assertNotConfigured({ source, definition: { id } }: StoredSchedule): void {
  if (source === "api") return;
  const message = `The schedule "${id}" is in the configuration: change [cron.jobs.${id}] there, and restart the host`;
  throw new ServiceError("SCHEDULE_CONFIGURED", message);
}

function invalid(id: string, message: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", `The schedule "${id}": ${message}`);
}

function neverComes({ cron, at }: ScheduleDefinition): string {
  return at === null
    ? `"cron" is ${JSON.stringify(cron)}, which never comes; write a day that there is`
    : `"at" is ${JSON.stringify(at)}, which is over; write a time that is still to come`;
}

function runView(run: StoredRun): ScheduleRun {
  const { id, occurrences, status, conversationId, turnId, attempts, reply, quiet, tokens, error } = run;
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
    error,
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
