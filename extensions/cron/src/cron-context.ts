import type { DaySpending } from "@incipit/gateway-protocol";
import type { Clock, Log, ServiceReference, Storage } from "@incipit/kernel";
import type {
  Chats,
  ConversationRecordsService,
  ConversationsService,
  UnattendedService,
} from "@incipit/service-contract";
import type { ReportedFailures } from "./reported-failures.ts";

export interface CronContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly chats: ServiceReference<Chats>;
  readonly signal: AbortSignal;
  readonly spending: DaySpending;
  readonly records: ServiceReference<ConversationRecordsService>;
  readonly unattended: ServiceReference<UnattendedService>;
  readonly settings: CronSettings;
  readonly troubles: ReportedFailures;
}

interface CronSettings {
  readonly timeZone: string;
  readonly maxTokensPerDay: number | undefined;
  readonly maxUsdPerDay: number | undefined;
  readonly maxRuns: number;
}
