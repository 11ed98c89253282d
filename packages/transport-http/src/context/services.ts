import type { Clock, Contributions, Log, ServiceReference } from "@incipit/kernel";
import {
  ServiceError,
  type AccessTokens,
  type ApprovalsService,
  type Chats,
  type ClientConversationsService,
  type CommandsService,
  type ConversationRecordsService,
  type ConversationsService,
  type ExtensionManager,
  type FileChangesService,
  type MessageFilesService,
  type HeartbeatService,
  type HostConfiguration,
  type HostDefaults,
  type ModelCallsService,
  type ModelProvider,
  type OfferedToolServers,
  type PageFiles,
  type ProfilesService,
  type PromptHistory,
  type PromptTemplates,
  type Schedules,
  type SkillsService,
  type StepRecordsService,
  type StorageReport,
  type SystemPromptService,
  type ToolServers,
  type TrustedFolders,
  type UnattendedService,
} from "@incipit/service-contract";
import type { Settings } from "./configuration.ts";

/** Services can be loaded and unloaded, so each request reads the current ones. */
export interface Services {
  readonly id: string;
  readonly settings: Settings;
  readonly defaults: HostDefaults;
  readonly port: () => number | undefined;
  readonly signals: readonly AbortSignal[];
  /** A swap of the API must wait for this work. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessTokens: ServiceReference<AccessTokens>;
  readonly approvals: ServiceReference<ApprovalsService>;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly conversationRecords: ServiceReference<ConversationRecordsService>;
  readonly fileChanges: ServiceReference<FileChangesService>;
  readonly messageFiles: ServiceReference<MessageFilesService>;
  readonly calls: ServiceReference<ModelCallsService>;
  readonly clientConversations: ServiceReference<ClientConversationsService>;
  readonly stepRecords: ServiceReference<StepRecordsService>;
  readonly systemPrompt: ServiceReference<SystemPromptService>;
  readonly profiles: ServiceReference<ProfilesService>;
  readonly skills: ServiceReference<SkillsService>;
  readonly commands: ServiceReference<CommandsService>;
  readonly promptHistory: ServiceReference<PromptHistory>;
  readonly promptTemplates: ServiceReference<PromptTemplates>;
  readonly extensions: ServiceReference<ExtensionManager>;
  readonly configuration: ServiceReference<HostConfiguration>;
  readonly trustedFolders: ServiceReference<TrustedFolders>;
  readonly toolServers: ServiceReference<ToolServers>;
  readonly offeredToolServers: ServiceReference<OfferedToolServers>;
  readonly pageFiles: ServiceReference<PageFiles>;
  readonly heartbeat: ServiceReference<HeartbeatService>;
  readonly schedules: ServiceReference<Schedules>;
  readonly unattended: ServiceReference<UnattendedService>;
  readonly chats: ServiceReference<Chats>;
  readonly storageReport: ServiceReference<StorageReport>;
  readonly providers: Contributions<ModelProvider>;
}

/** @throws {ServiceError} `SERVICE_UNAVAILABLE` that names the missing service. */
export function need<Service extends object>(reference: ServiceReference<Service>, name: string): Service {
  const service = reference.current;
  if (service !== undefined) return service;
  const message = `${name} is not available; load an extension that provides it`;
  throw new ServiceError("SERVICE_UNAVAILABLE", message, { next: { action: "list-extensions" } });
}
