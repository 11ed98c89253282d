import type { Clock, Log, ServiceReference, Storage, StorageWrite } from "@incipit/kernel";
import type { Failure, ScheduleDefinition, TurnStatus } from "@incipit/schema";
import type {
  Chats,
  ConversationRecordsService,
  ConversationsService,
  TurnOutcome,
} from "@incipit/service-contract";
import type { Budget, DayLimit } from "../budget/budget.ts";
import type { ActiveHours } from "../times/times.ts";
import type { ReportedFailures } from "./reported-failures.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { StoredRun } from "./stored.ts";

export interface EngineContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly chats: ServiceReference<Chats>;
  readonly records: ServiceReference<ConversationRecordsService>;
  readonly budget: Budget;
  readonly failures: ReportedFailures;
  readonly kind: ScheduleKind;
}

/** What scheduled tasks and the heartbeat do differently. */
export interface ScheduleKind {
  /** The subject of log messages. */
  readonly subject: string;
  readonly timeZone: string;
  readonly activeHours: ActiveHours | undefined;
  /** A schedule's own conversation is replaced each day. */
  readonly isDaily: boolean;
  /** Runs under way at once, of all schedules. */
  readonly maxRuns: number;
  /** Runs of a schedule that have not ended; due times beyond them are skipped as `behind`. */
  readonly maxOpen: number;
  readonly behind: Failure;
  /** The failure of a due time that passed while no host ran and is not made up. */
  readonly missed: Failure;
  readonly keptRuns: number;
  /** Only the last due time without a model call is kept. */
  readonly keepsOneSkipped: boolean;
  readonly maxReplyLength: number;
  title(scheduleId: string): string;
  /** The schedule's entry in the ledger. */
  spendingId(scheduleId: string): string;
  /** Further entries that each run counts towards. */
  readonly spendingGroups: readonly string[];
  /** Without a definition, only those of all schedules together. */
  limits(definition?: ScheduleDefinition): readonly DayLimit[];
  /** Returns the message of a due time, or why no model is called. */
  message(definition: ScheduleDefinition, store: ScheduleStore): Promise<string | Failure>;
  ending(run: StoredRun, outcome: TurnOutcome): Promise<RunEnding>;
}

export interface RunEnding {
  readonly status: TurnStatus;
  readonly error: Failure | null;
  readonly quiet: boolean;
  readonly repeated: boolean;
  /** For the chats; absent: they are not notified. */
  readonly text: string | undefined;
  readonly writes: readonly StorageWrite[];
}
