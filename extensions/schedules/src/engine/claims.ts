import { errorMessage, type StorageCheck, type StorageWrite, type Versioned } from "@incipit/kernel";
import { nothingSpent, scheduleRunIdSchema, type Failure } from "@incipit/schema";
import { codeOf } from "@incipit/service-contract";
import { timesOf, TimesProblem, type Times } from "../times/times.ts";
import type { EngineContext, ScheduleKind } from "./engine-context.ts";
import { rescheduled, type ScheduleStore } from "./schedule-store.ts";
import {
  keys,
  storedNothingSchema,
  storedReferenceSchema,
  storedScheduleSchema,
  type StoredRun,
  type StoredSchedule,
} from "./stored.ts";

const pageLimit = 100;
const graceMs = 60_000;
const maxMissed = 24;
/** Approximate length of a message that combines runs. */
const maxTextLength = 200_000;

type Occurrence = StoredRun["occurrences"][number];

interface Due {
  readonly id: string;
  readonly schedule: StoredSchedule;
}

/** One commit stores the run and the schedule's next time, so that each time runs at most once. */
export class Claims {
  readonly #context: EngineContext;
  readonly #store: ScheduleStore;

  constructor(context: EngineContext, store: ScheduleStore) {
    this.#context = context;
    this.#store = store;
  }

  async nextMs(): Promise<number | undefined> {
    const [first] = await this.#context.storage.list({ prefix: keys.prefixes.due, limit: 1 }, storedNothingSchema);
    return first === undefined ? undefined : keys.dueMs(first.key);
  }

  async claimDue(): Promise<readonly StoredRun[]> {
    const { storage, clock, kind } = this.#context;
    const nowMs = clock.now();
    const range = { start: keys.prefixes.due, end: keys.dueEnd(nowMs), limit: pageLimit };
    const due = await storage.list(range, storedNothingSchema);
    if (due.length === 0) return [];
    const checks: StorageCheck[] = [];
    const writes: StorageWrite[] = [];
    const claimed = new RunsBeingMade(nowMs, kind);
    for (const { key } of due) {
      const id = keys.dueId(key);
      const usable = await this.#usable(id);
      writes.push({ kind: "delete", key });
      // Deleted, unusable, or rescheduled.
      if (usable === undefined || usable.stored.value.nextMs !== keys.dueMs(key)) continue;
      const { stored, times } = usable;
      checks.push({ key: stored.key, version: stored.version });
      writes.push(...rescheduled(id, stored.value, times.next(nowMs) ?? null));
      await this.#claim({ id, schedule: stored.value }, times, claimed);
    }
    const runs = claimed.runs;
    writes.push(...runs.flatMap(runWrites), ...(await this.#replaceSkipped(runs)));
    const result = await storage.atomic(checks, writes);
    // Another writer changed a schedule: the caller tries again.
    return result.kind === "committed" ? runs.filter(({ endedMs }) => endedMs === null) : [];
  }

  /** `undefined` if the schedule was changed or claimed concurrently. */
  async claimNow(
    { key, value: schedule, version }: Versioned<StoredSchedule>,
    text: string,
  ): Promise<StoredRun | undefined> {
    const { clock, kind, storage } = this.#context;
    const nowMs = clock.now();
    const { id } = schedule.definition;
    const claimed = new RunsBeingMade(nowMs, kind);
    claimed.add({ id, schedule }, { scheduleId: id, dueMs: nowMs, missed: false, asked: true }, text);
    // Written anew, so that of two concurrent claims one conflicts.
    const same = { kind: "set", key, value: schedule } as const;
    const result = await storage.atomic([{ key, version }], [same, ...claimed.runs.flatMap(runWrites)]);
    return result.kind === "committed" ? claimed.runs[0] : undefined;
  }

  async isBehind(id: string): Promise<boolean> {
    const { storage, kind } = this.#context;
    const range = { prefix: keys.pending(id), limit: kind.maxOpen };
    return (await storage.list(range, storedNothingSchema)).length === kind.maxOpen;
  }

  timesOf({ definition, anchorMs }: Pick<StoredSchedule, "definition" | "anchorMs">): Times {
    const { timeZone, activeHours } = this.#context.kind;
    return timesOf(definition, { timeZone, activeHours, anchorMs });
  }

  /** `undefined` for an unreadable schedule, so that it does not block others. */
  async #usable(
    id: string,
  ): Promise<{ readonly stored: Versioned<StoredSchedule>; readonly times: Times } | undefined> {
    const { storage, log } = this.#context;
    try {
      const stored = await storage.getVersioned(keys.schedule(id), storedScheduleSchema);
      return stored === undefined ? undefined : { stored, times: this.timesOf(stored.value) };
    } catch (error) {
      if (!(error instanceof TimesProblem) && codeOf(error) !== "STORED_VALUE_INVALID") throw error;
      log.error("A stored schedule is invalid: delete and create it again", {
        id,
        error: errorMessage(error),
      });
      return undefined;
    }
  }

  async #claim(due: Due, times: Times, claimed: RunsBeingMade): Promise<void> {
    const { id, schedule } = due;
    const { nowMs } = claimed;
    const { kind, log } = this.#context;
    const { definition } = schedule;
    const { missed: policy } = definition;
    const last = times.last(schedule.nextMs ?? nowMs, nowMs, policy === "all" ? maxMissed : 1);
    const occurrences = last.map((dueMs) => ({
      scheduleId: id,
      dueMs,
      missed: nowMs - dueMs > graceMs,
      asked: false,
    }));
    if (occurrences.length === 0) {
      // Its hours have changed, or none of its times is within them.
      log.warn("Skipped a due time outside of the active hours", { id });
      return;
    }
    const wanted = policy === "skip" ? occurrences.filter(({ missed }) => !missed) : occurrences;
    const message =
      wanted.length === 0
        ? kind.missed
        : (await this.isBehind(id))
          ? kind.behind
          : ((await this.#spent(schedule)) ?? (await kind.message(definition, this.#store)));
    if (typeof message !== "string") claimed.skip(due, occurrences, message);
    else for (const occurrence of wanted) claimed.add(due, occurrence, message);
  }

  async #spent({ definition }: StoredSchedule): Promise<Failure | undefined> {
    const { budget, kind } = this.#context;
    const { profile, cwd } = definition;
    const agent = profile === null ? undefined : { profile, cwd };
    const spent = await budget.whySpent(kind.limits(definition), agent);
    if (spent !== undefined) await budget.tell(tellsOf({ definition }), spent);
    return spent?.error;
  }

  /** Keeps only the last run without a model call; all of them would fill the history. */
  async #replaceSkipped(runs: readonly StoredRun[]): Promise<readonly StorageWrite[]> {
    const { storage, kind } = this.#context;
    const writes: StorageWrite[] = [];
    if (!kind.keepsOneSkipped) return writes;
    for (const { id, status, occurrences } of runs) {
      const [first] = occurrences;
      if (status !== "skipped" || first === undefined) continue;
      const key = keys.skipped(first.scheduleId);
      const before = await storage.get(key, storedReferenceSchema);
      writes.push({ kind: "set", key, value: { runId: id } });
      for (const old of before === undefined
        ? []
        : [keys.run(before.runId), keys.historyRun(first.scheduleId, before.runId)])
        writes.push({ kind: "delete", key: old });
    }
    return writes;
  }
}

function runWrites(run: StoredRun): readonly StorageWrite[] {
  const ids = [...new Set(run.occurrences.map(({ scheduleId }) => scheduleId))];
  const index = ids.map((id) => keys.historyRun(id, run.id));
  if (run.endedMs === null) index.push(keys.open(run.id), ...ids.map((id) => keys.pendingRun(id, run.id)));
  return [
    { kind: "set", key: keys.run(run.id), value: run },
    ...index.map((key) => ({ kind: "set", key, value: {} }) as const),
  ];
}

function tellsOf({ definition: { tell } }: Pick<StoredSchedule, "definition">): readonly string[] {
  return tell === null ? [] : [tell];
}

class RunsBeingMade {
  readonly nowMs: number;
  readonly #kind: ScheduleKind;
  readonly #runs: StoredRun[] = [];
  readonly #places = new Map<string, number>();

  constructor(nowMs: number, kind: ScheduleKind) {
    this.nowMs = nowMs;
    this.#kind = kind;
  }

  get runs(): readonly StoredRun[] {
    return this.#runs;
  }

  add(due: Due, occurrence: Occurrence, line: string): void {
    const { conversation, model } = due.schedule.definition;
    const goal =
      conversation === "fresh" ? undefined : conversation === "own" ? `own ${due.id}` : `${conversation} ${model}`;
    const place = goal === undefined ? undefined : this.#places.get(goal);
    const run = place === undefined ? undefined : this.#runs[place];
    if (run !== undefined && place !== undefined && run.text.length + line.length < maxTextLength) {
      this.#runs[place] = {
        ...run,
        text: `${run.text}\n${line}`,
        occurrences: [...run.occurrences, occurrence],
        tells: [...new Set([...run.tells, ...tellsOf(due.schedule)])],
        retries: Math.min(run.retries, due.schedule.definition.retries),
      };
      return;
    }
    if (goal !== undefined) this.#places.set(goal, this.#runs.length);
    this.#runs.push(this.#newRun(due, [occurrence], line));
  }

  skip(due: Due, occurrences: readonly Occurrence[], error: Failure): void {
    const run = this.#newRun(due, [...occurrences], "");
    this.#runs.push({ ...run, status: "skipped", endedMs: this.nowMs, error });
  }

  #newRun({ schedule: { definition } }: Due, occurrences: Occurrence[], text: string): StoredRun {
    const { id, conversation, model, profile, cwd, tools, retries } = definition;
    return {
      id: scheduleRunIdSchema.parse(Bun.randomUUIDv7("hex", this.nowMs)),
      occurrences,
      text,
      title: this.#kind.title(id),
      conversation,
      conversationId: conversation === "own" || conversation === "fresh" ? null : conversation,
      model,
      profile,
      cwd,
      tools,
      tells: [...tellsOf({ definition })],
      retries,
      status: "waiting",
      turnId: null,
      afterSeq: 0,
      attempts: 0,
      notBeforeMs: this.nowMs,
      claimedMs: this.nowMs,
      endedMs: null,
      reply: null,
      quiet: false,
      repeated: false,
      ...nothingSpent,
      error: null,
    };
  }
}
