import type { StorageWrite, Versioned } from "@incipit/kernel";
import type { ConversationId, PageQuery, ScheduleDefinition } from "@incipit/schema";
import { ServiceError, type Page } from "@incipit/service-contract";
import { dayAt } from "../times/time-zone.ts";
import type { EngineContext } from "./engine-context.ts";
import {
  keys,
  storedNothingSchema,
  storedOverSchema,
  storedOwnSchema,
  storedReferenceSchema,
  storedRunSchema,
  storedScheduleSchema,
  type StoredRun,
  type StoredSchedule,
} from "./stored.ts";

/** Each commit includes the schedule's entry in the list of due times. */
export class ScheduleStore {
  readonly #context: Pick<EngineContext, "storage" | "log" | "clock" | "kind">;

  constructor(context: Pick<EngineContext, "storage" | "log" | "clock" | "kind">) {
    this.#context = context;
  }

  find(id: string): Promise<Versioned<StoredSchedule> | undefined> {
    return this.#context.storage.getVersioned(keys.schedule(id), storedScheduleSchema);
  }

  async get(id: string): Promise<Versioned<StoredSchedule>> {
    const stored = await this.find(id);
    if (stored !== undefined) return stored;
    throw new ServiceError("SCHEDULE_UNKNOWN", `No schedule has the id "${id}"`, {
      next: { action: "list-schedules" },
    });
  }

  /** Whether the `at` job was stored before and its time was claimed or has passed. */
  async isOver(definition: ScheduleDefinition): Promise<boolean> {
    const over = await this.#context.storage.get(keys.over(definition.id), storedOverSchema);
    return over?.times === timesText(definition);
  }

  page(cursor: string | undefined, limit: number): Promise<readonly Versioned<StoredSchedule>[]> {
    const { storage, log } = this.#context;
    const { schedule: prefix } = keys.prefixes;
    const range =
      cursor === undefined ? { prefix } : { start: keys.behind(keys.schedule(cursor)), end: `${prefix}~` };
    const onInvalid = (key: string, error: Error): void =>
      log.error("Skipped an unreadable stored schedule", { key, error: error.message });
    return storage.list({ ...range, limit, onInvalid }, storedScheduleSchema);
  }

  /** Newest first. */
  async runs(id: string, { cursor, limit }: PageQuery): Promise<Page<StoredRun>> {
    const { storage } = this.#context;
    const prefix = keys.history(id);
    const range = cursor === undefined ? { prefix } : { start: prefix, end: `${prefix}${cursor}` };
    const found = await storage.list({ ...range, limit, reverse: true }, storedNothingSchema);
    const runIds = found.map(({ key }) => key.slice(prefix.length));
    const runs = await Promise.all(runIds.map((runId) => storage.get(keys.run(runId), storedRunSchema)));
    const items = runs.flatMap((run) => run ?? []);
    const last = runIds.at(-1);
    return last === undefined || found.length < limit ? { items } : { items, nextCursor: last };
  }

  async lastRun(id: string): Promise<StoredRun | undefined> {
    return (await this.runs(id, { limit: 1 })).items[0];
  }

  async lastAlert(id: string): Promise<StoredRun | undefined> {
    const { storage } = this.#context;
    const alert = await storage.get(keys.alert(id), storedReferenceSchema);
    return alert === undefined ? undefined : storage.get(keys.run(alert.runId), storedRunSchema);
  }

  async ownConversation(id: string): Promise<ConversationId | undefined> {
    const { storage, kind } = this.#context;
    const own = await storage.get(keys.own(id), storedOwnSchema);
    return own !== undefined && kind.isDaily && own.day !== this.#today ? undefined : own?.id;
  }

  /** Returns the conversation of the next run, unless that will create one. */
  async conversationOf({ id, conversation }: ScheduleDefinition): Promise<ConversationId | undefined> {
    if (conversation === "own") return this.ownConversation(id);
    return conversation === "fresh" ? undefined : conversation;
  }

  setOwn(id: string, conversationId: ConversationId): StorageWrite {
    return { kind: "set", key: keys.own(id), value: { id: conversationId, day: this.#today } };
  }

  get #today(): string {
    const { clock, kind } = this.#context;
    return dayAt(clock.now(), kind.timeZone);
  }

  async put(schedule: StoredSchedule, before: Versioned<StoredSchedule> | undefined): Promise<boolean> {
    const { id } = schedule.definition;
    const writes = [
      ...(before === undefined ? [] : [...notDue(before.value), ...over(before.value)]),
      ...rescheduled(id, schedule, schedule.nextMs),
    ];
    const check = { key: keys.schedule(id), version: before?.version ?? null };
    const result = await this.#context.storage.atomic([check], writes);
    return result.kind === "committed";
  }

  /** @throws {ServiceError} `SCHEDULE_UNKNOWN` after a concurrent deletion. */
  async remove({ key, value, version }: Versioned<StoredSchedule>): Promise<void> {
    const { storage } = this.#context;
    const { id } = value.definition;
    const history = await storage.list({ prefix: keys.history(id), limit: 1_000 }, storedNothingSchema);
    const writes: StorageWrite[] = [
      { kind: "delete", key },
      { kind: "delete", key: keys.own(id) },
      ...notDue(value),
      ...over(value),
      ...history.map((entry) => ({ kind: "delete", key: entry.key }) as const),
      ...(await this.#runsOfNobodyElse(id, history)),
    ];
    const result = await storage.atomic([{ key, version }], writes);
    if (result.kind === "conflict") await this.remove(await this.get(id)); // It ran concurrently.
  }

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
}

export function rescheduled(id: string, schedule: StoredSchedule, nextMs: number | null): readonly StorageWrite[] {
  const set = { kind: "set", key: keys.schedule(id), value: { ...schedule, nextMs } } as const;
  return nextMs === null ? [set] : [set, { kind: "set", key: keys.due(nextMs, id), value: {} }];
}

function notDue({ definition, nextMs }: StoredSchedule): readonly StorageWrite[] {
  return nextMs === null ? [] : [{ kind: "delete", key: keys.due(nextMs, definition.id) }];
}

/** Marks a schedule as finished, so that it does not run again if it returns to the configuration. */
function over({ definition, source, nextMs }: StoredSchedule): readonly StorageWrite[] {
  if (source !== "configuration" || definition.at === null || nextMs !== null) return [];
  return [{ kind: "set", key: keys.over(definition.id), value: { times: timesText(definition) } }];
}

/** Definitions with equal times have equal texts. */
export function timesText({ cron, every, at, timeZone }: ScheduleDefinition): string {
  return JSON.stringify([cron, every, at, timeZone]);
}
