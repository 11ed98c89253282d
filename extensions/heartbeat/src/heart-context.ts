import type { DaySpending } from "@incipit/gateway-protocol";
import type { Clock, FileSystem, Log, ServiceReference, Storage } from "@incipit/kernel";
import type {
  Chats,
  ConversationRecordsService,
  ConversationsService,
  UnattendedService,
} from "@incipit/service-contract";
import type { WakeConversation } from "./wake-conversation.ts";
import type { WakeTimes } from "./wake-times.ts";

export interface HeartContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly isEnabled: boolean;
  readonly times: WakeTimes;
  readonly conversation: WakeConversation;
  readonly chats: ServiceReference<Chats>;
  readonly tell: string | undefined;
  readonly model: string | undefined;
  readonly profile: string | undefined;
  /** Besides the response tool. */
  readonly tools: readonly string[] | undefined;
  readonly file: string;
  readonly spending: DaySpending;
  readonly records: ServiceReference<ConversationRecordsService>;
  readonly unattended: ServiceReference<UnattendedService>;
  readonly maxTokensPerDay: number | undefined;
  readonly maxUsdPerDay: number | undefined;
}
