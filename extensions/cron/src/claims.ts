import { codeOf } from "@incipit/gateway-protocol";
import { errorMessage, type StorageCheck, type StorageWrite, type Versioned } from "@incipit/kernel";
import { scheduleRunIdSchema, type Failure } from "@incipit/schema";
import type { Budget } from "./budget.ts";
import type { CronContext } from "./cron-context.ts";
import { keys, storedNothingSchema, storedScheduleSchema, type StoredRun, type StoredSchedule } from "./stored.ts";
import { timesOf, TimesProblem, type Times } from "./times.ts";

const pageLimit = 100;
const graceMs = 60_000;
const maxOpen = 10;
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
  readonly #context: CronContext;
  readonly #budget: Budget;

  constructor(context: CronContext, budget: Budget) {
    this.#context = context;
    this.#budget = budget;
  }

  async nextMs(): Promise<number | undefined> {
    const [first] = await this.#context.storage.list({ prefix: keys.prefixes.due, limit: 1 }, storedNothingSchema);
    return first === undefined ? undefined : keys.dueMs(first.key);
  }

  async claimDue(): Promise<readonly StoredRun[]> {
    const { storage, clock } = this.#context;
    const nowMs = clock.now();
    const range = { start: keys.prefixes.due, end: keys.dueEnd(nowMs), limit: pageLimit };
    const due = await storage.list(range, storedNothingSchema);
    if (due.length === 0) return [];
    const checks: StorageCheck[] = [];
    const writes: StorageWrite[] = [];
    const claimed = new RunsBeingMade(nowMs);
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
    const result = await storage.atomic(checks, [...writes, ...runs.flatMap(runWrites)]);
    // Another writer changed a schedule: the caller tries again.
    return result.kind === "committed" ? runs.filter(({ endedMs }) => endedMs === null) : [];
  }

  async claimNow({ key, value: schedule, version }: Versioned<StoredSchedule>): Promise<StoredRun | undefined> {
    const nowMs = this.#context.clock.now();
    const { id } = schedule.definition;
    const claimed = new RunsBeingMade(nowMs);
    claimed.add({ id, schedule }, { scheduleId: id, dueMs: nowMs, missed: false, asked: true });
    const [run] = claimed.runs;
    if (run === undefined) throw new Error("There is no run of what was asked for");
    const result = await this.#context.storage.atomic([{ key, version }], runWrites(run));
    return result.kind === "committed" ? run : undefined;
  }

  timesOf({ definition, anchorMs }: Pick<StoredSchedule, "definition" | "anchorMs">): Times {
    return timesOf(definition, { timeZone: this.#context.settings.timeZone, anchorMs });
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
      log.error("A schedule cannot be used: it does not run until it is made anew", {
        id,
        error: errorMessage(error),
      });
      return undefined;
    }
  }

  async #claim(due: Due, times: Times, claimed: RunsBeingMade): Promise<void> {
    const { id, schedule } = due;
    const { nowMs } = claimed;
    const { missed: policy } = schedule.definition;
    const last = times.last(schedule.nextMs ?? nowMs, nowMs, policy === "all" ? maxMissed : 1);
    const occurrences = last.map((dueMs) => ({
      scheduleId: id,
      dueMs,
      missed: nowMs - dueMs > graceMs,
      asked: false,
    }));
    const wanted = policy === "skip" ? occurrences.filter(({ missed }) => !missed) : occurrences;
    const why =
      wanted.length === 0 ? missedTime : (await this.#isBehind(id)) ? tooMany : await this.#spent(schedule);
    if (why === undefined) for (const occurrence of wanted) claimed.add(due, occurrence);
    else claimed.skip(due, occurrences, why);
  }

  async #spent({ definition }: StoredSchedule): Promise<Failure | undefined> {
    const { profile, cwd } = definition;
    const agent = profile === null ? undefined : { profile, cwd };
    const spent = await this.#budget.whySpent(definition, agent);
    if (spent !== undefined) await this.#budget.tell(tellsOf({ definition }), spent);
    return spent?.error;
  }

  async #isBehind(id: string): Promise<boolean> {
    const range = { prefix: keys.pending(id), limit: maxOpen };
    return (await this.#context.storage.list(range, storedNothingSchema)).length === maxOpen;
  }
}

const missedTime: Failure = {
  code: "MISSED",
  message: 'The host did not run at its time, and the schedule says missed = "skip"',
};

const tooMany: Failure = {
  code: "STILL_RUNNING",
  message: `${maxOpen} runs before it have not ended yet; give it more time between two of them`,
};

export function rescheduled(id: string, schedule: StoredSchedule, nextMs: number | null): readonly StorageWrite[] {
  const set = { kind: "set", key: keys.schedule(id), value: { ...schedule, nextMs } } as const;
  return nextMs === null ? [set] : [set, { kind: "set", key: keys.due(nextMs, id), value: {} }];
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
  readonly #runs: StoredRun[] = [];
  readonly #places = new Map<string, number>();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  get runs(): readonly StoredRun[] {
    return this.#runs;
  }

  add(due: Due, occurrence: Occurrence): void {
    const { conversation, model } = due.schedule.definition;
    const line = `[CRON:${due.id}] ${due.schedule.definition.task}`;
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
    const isOwn = conversation === "own";
    return {
      id: scheduleRunIdSchema.parse(Bun.randomUUIDv7("hex", this.nowMs)),
      occurrences,
      text,
      conversationId: conversation === "own" || conversation === "fresh" ? null : conversation,
      make: { title: id, model, profile, cwd, tools, isOwn },
      // The schedule's own conversations already have the model.
      model: isOwn || conversation === "fresh" ? null : model,
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
      tokens: 0,
      usd: 0,
      unpriced: 0,
      error: null,
    };
  }
}
