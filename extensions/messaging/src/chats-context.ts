import type { Clock, Log, ServiceReference, Storage } from "@incipit/kernel";
import type {
  ApprovalsService,
  Channel,
  CommandsService,
  ConversationsService,
  HostDefaults,
  Media,
  MessageFilesService,
  ProfilesService,
} from "@incipit/service-contract";
import type { Moves } from "./moves.ts";

export interface ChatsContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly approvals: ServiceReference<ApprovalsService>;
  readonly files: ServiceReference<MessageFilesService>;
  readonly media: ServiceReference<Media>;
  readonly commands: ServiceReference<CommandsService>;
  /** Without this service, the configured profiles apply. */
  readonly profiles: ServiceReference<ProfilesService>;
  readonly defaults: ServiceReference<HostDefaults>;
  readonly signal: AbortSignal;
}

/** `signal` also aborts when the channel is unregistered. */
export interface ChannelContext extends ChatsContext {
  readonly channel: Channel;
  readonly moves: Moves;
  readonly nextNumber: () => string;
}
