import type { DaySpending } from "@incipit/gateway-protocol";
import type { Clock, Log, ServiceReference, Storage } from "@incipit/kernel";
import type {
  Chats,
  ConversationRecordsService,
  ConversationsService,
  UnattendedService,
} from "@incipit/service-contract";
import type { Troubles } from "./troubles.ts";

/** What the parts of this extension work with. */
export interface CronContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly chats: ServiceReference<Chats>;
  /** Aborts when the activation ends. */
  readonly signal: AbortSignal;
  /** That of all runs, and of each schedule by its id. */
  readonly spending: DaySpending;
  readonly records: ServiceReference<ConversationRecordsService>;
  readonly unattended: ServiceReference<UnattendedService>;
  readonly settings: CronSettings;
  readonly troubles: Troubles;
}

interface CronSettings {
  /** The zone of schedules that name none, and of the days by which is counted what they cost. */
  readonly timeZone: string;
  /** Input and output tokens of all runs of a day, after which they are skipped. */
  readonly maxTokensPerDay: number | undefined;
  /** The same in US dollars. */
  readonly maxUsdPerDay: number | undefined;
  /** How many runs are under way at once. */
  readonly maxRuns: number;
}
