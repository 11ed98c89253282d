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

/** What the parts of this extension work with. */
export interface ChatsContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly approvals: ServiceReference<ApprovalsService>;
  readonly files: ServiceReference<MessageFilesService>;
  readonly media: ServiceReference<Media>;
  readonly commands: ServiceReference<CommandsService>;
  /** Where it is not there, there are the profiles of the configuration. */
  readonly profiles: ServiceReference<ProfilesService>;
  readonly defaults: ServiceReference<HostDefaults>;
  /** Aborts when the activation ends. */
  readonly signal: AbortSignal;
}

/** The same for one channel; `signal` aborts when that goes, too. */
export interface ChannelContext extends ChatsContext {
  readonly channel: Channel;
  readonly moves: Moves;
  /** The next number of what is kept in order in this channel. */
  readonly nextNumber: () => string;
}
