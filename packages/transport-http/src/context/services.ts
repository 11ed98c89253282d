import type { Clock, Host, Log, ServiceReference } from "@incipit/kernel";
import {
  accessTokensHandle,
  approvalsHandle,
  chatsHandle,
  clientConversationsHandle,
  commandsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  extensionManagerHandle,
  fileChangesHandle,
  heartbeatHandle,
  hostConfigurationHandle,
  messageFilesHandle,
  modelCallsHandle,
  modelProvidersPoint,
  offeredToolServersHandle,
  pageFilesHandle,
  profilesHandle,
  promptHistoryHandle,
  promptTemplatesHandle,
  schedulesHandle,
  skillsHandle,
  stepRecordsHandle,
  storageReportHandle,
  systemPromptHandle,
  toolServersHandle,
  trustedFoldersHandle,
  unattendedHandle,
  ServiceError,
  type HostDefaults,
} from "@incipit/service-contract";
import type { Settings } from "./configuration.ts";

/** Services can be loaded and unloaded, so each request reads the current ones. */
export function serviceReferences(host: Pick<Host, "getService" | "contributions">) {
  return {
    accessTokens: host.getService(accessTokensHandle),
    conversations: host.getService(conversationsHandle),
    conversationRecords: host.getService(conversationRecordsHandle),
    approvals: host.getService(approvalsHandle),
    fileChanges: host.getService(fileChangesHandle),
    messageFiles: host.getService(messageFilesHandle),
    calls: host.getService(modelCallsHandle),
    clientConversations: host.getService(clientConversationsHandle),
    stepRecords: host.getService(stepRecordsHandle),
    systemPrompt: host.getService(systemPromptHandle),
    profiles: host.getService(profilesHandle),
    skills: host.getService(skillsHandle),
    commands: host.getService(commandsHandle),
    promptHistory: host.getService(promptHistoryHandle),
    promptTemplates: host.getService(promptTemplatesHandle),
    extensions: host.getService(extensionManagerHandle),
    configuration: host.getService(hostConfigurationHandle),
    trustedFolders: host.getService(trustedFoldersHandle),
    toolServers: host.getService(toolServersHandle),
    offeredToolServers: host.getService(offeredToolServersHandle),
    pageFiles: host.getService(pageFilesHandle),
    heartbeat: host.getService(heartbeatHandle),
    schedules: host.getService(schedulesHandle),
    unattended: host.getService(unattendedHandle),
    chats: host.getService(chatsHandle),
    storageReport: host.getService(storageReportHandle),
    providers: host.contributions(modelProvidersPoint),
  };
}

export interface Services extends Readonly<ReturnType<typeof serviceReferences>> {
  readonly id: string;
  readonly settings: Settings;
  readonly defaults: HostDefaults;
  readonly port: () => number | undefined;
  readonly signals: readonly AbortSignal[];
  /** A swap of the API must wait for this work. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** @throws {ServiceError} `SERVICE_UNAVAILABLE` that names the missing service. */
export function need<Service extends object>(reference: ServiceReference<Service>, name: string): Service {
  const service = reference.current;
  if (service !== undefined) return service;
  const message = `${name} is not available; load an extension that provides it`;
  throw new ServiceError("SERVICE_UNAVAILABLE", message, { next: { action: "list-extensions" } });
}
