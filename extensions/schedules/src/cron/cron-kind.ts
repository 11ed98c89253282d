import type { ScheduleDefinition } from "@incipit/schema";
import { replyWithNote, type TurnOutcome } from "@incipit/service-contract";
import type { DayLimit } from "../budget/budget.ts";
import { allSchedulesId, scheduleSpendingId } from "../budget/spending-ledger.ts";
import type { RunEnding, ScheduleKind } from "../engine/engine-context.ts";
import type { StoredRun } from "../engine/stored.ts";
import { isQuiet } from "../turn/quiet-reply.ts";

export interface CronOptions {
  readonly timeZone: string;
  readonly maxRuns: number;
  readonly maxTokensPerDay: number | null;
  readonly maxUsdPerDay: number | null;
}

const maxOpen = 10;

/** Tasks of the configuration and the API. */
export class CronKind implements ScheduleKind {
  readonly subject = "A schedule";
  readonly timeZone: string;
  readonly activeHours = undefined;
  readonly isDaily = false;
  readonly maxRuns: number;
  readonly maxOpen = maxOpen;
  readonly behind = {
    code: "STILL_RUNNING",
    message: `${maxOpen} earlier runs have not ended; use a longer interval`,
  };
  readonly missed = {
    code: "MISSED",
    message: 'The host was not running at that time, and the schedule has missed = "skip"',
  };
  readonly keptRuns = 100;
  readonly keepsOneSkipped = false;
  readonly maxReplyLength = 20_000;
  readonly spendingGroups = [allSchedulesId];
  readonly #all: DayLimit;

  constructor({ timeZone, maxRuns, maxTokensPerDay, maxUsdPerDay }: CronOptions) {
    this.timeZone = timeZone;
    this.maxRuns = maxRuns;
    this.#all = {
      spendingId: allSchedulesId,
      what: "All schedules together have",
      tokens: { max: maxTokensPerDay, key: "cron.max_tokens_per_day" },
      usd: { max: maxUsdPerDay, key: "cron.max_usd_per_day" },
    };
  }

  title(scheduleId: string): string {
    return scheduleId;
  }

  spendingId(scheduleId: string): string {
    return scheduleSpendingId(scheduleId);
  }

  limits(definition?: ScheduleDefinition): readonly DayLimit[] {
    if (definition === undefined) return [this.#all];
    const { id, maxTokensPerDay, maxUsdPerDay } = definition;
    const own = {
      spendingId: scheduleSpendingId(id),
      what: `The schedule "${id}" has`,
      tokens: { max: maxTokensPerDay, key: `maxTokensPerDay of "${id}"` },
      usd: { max: maxUsdPerDay, key: `maxUsdPerDay of "${id}"` },
    };
    return [own, this.#all];
  }

  async message({ id, task }: ScheduleDefinition): Promise<string> {
    return taskLine({ id, task });
  }

  async ending({ occurrences }: StoredRun, outcome: TurnOutcome): Promise<RunEnding> {
    const { status, error, reply } = outcome;
    const quiet = status === "completed" && isQuiet(reply);
    const names = [...new Set(occurrences.map(({ scheduleId }) => scheduleId))].join(", ");
    const text = quiet ? undefined : `${names}: ${inWords(outcome)}`;
    return { status, error, quiet, repeated: false, text, writes: [] };
  }
}

export function taskLine({ id, task }: Pick<ScheduleDefinition, "id" | "task">): string {
  return `[CRON:${id}] ${task}`;
}

function inWords(outcome: TurnOutcome): string {
  const { status, error, reply } = outcome;
  switch (status) {
    case "completed":
      return replyWithNote(outcome);
    case "failed":
      return error?.message ?? "The run failed for an unknown reason";
    case "cancelled":
      return withReply("The run was stopped", reply);
    case "interrupted":
      return withReply("The run was cut off, as the host ended", reply);
  }
}

function withReply(what: string, reply: string): string {
  return reply.trim() === "" ? `${what}.` : `${what}. Output until then:\n\n${reply}`;
}
