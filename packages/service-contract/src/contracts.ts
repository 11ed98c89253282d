import type { Contract } from "@incipit/kernel";
import { accessTokensHandle } from "./access-tokens.ts";
import { approvalsHandle } from "./approvals.ts";
import { channelsPoint } from "./channels.ts";
import { chatsHandle } from "./chats.ts";
import { clientConversationsHandle } from "./client-conversations.ts";
import { commandSourcesPoint } from "./command-sources.ts";
import { commandsHandle } from "./commands.ts";
import { conversationRecordsHandle } from "./conversation-records.ts";
import { conversationsHandle } from "./conversations.ts";
import { extensionManagerHandle } from "./extension-manager.ts";
import { fileChangesHandle, messageFilesHandle } from "./file-changes.ts";
import { folderGrantsHandle } from "./folder-grants.ts";
import { folderTrustHandle } from "./folder-trust.ts";
import { heartbeatHandle } from "./heartbeat.ts";
import { hostConfigurationHandle } from "./host-configuration.ts";
import { hostDefaultsHandle } from "./host-defaults.ts";
import { httpEndpointHandle } from "./http-endpoint.ts";
import { mediaHandle } from "./media.ts";
import { modelCallsHandle } from "./model-calls.ts";
import { modelProvidersPoint } from "./model-provider.ts";
import { pageFilesHandle } from "./page-files.ts";
import { conversationTextsHandle } from "./conversation-texts.ts";
import { profilesHandle } from "./profiles.ts";
import { promptHistoryHandle } from "./prompt-history.ts";
import { promptTemplatesHandle } from "./prompt-templates.ts";
import { schedulesHandle } from "./schedules.ts";
import { skillsHandle } from "./skills.ts";
import { stepRecordsHandle } from "./step-records.ts";
import { storageBackupHandle } from "./storage-backup.ts";
import { storageErasureHandle } from "./storage-erasure.ts";
import { storageReportHandle } from "./storage-report.ts";
import { storedNamespacesHandle } from "./stored-namespaces.ts";
import { promptSegmentsPoint, promptVariablesPoint, systemPromptHandle } from "./system-prompt.ts";
import { offeredToolServersHandle } from "./offered-tool-servers.ts";
import { toolServersHandle } from "./tool-servers.ts";
import { trustedFoldersHandle } from "./trusted-folders.ts";
import { unattendedHandle } from "./unattended.ts";
import { toolSourcesPoint, toolsPoint } from "./tools.ts";
import { workObserversPoint } from "./work-observers.ts";
import { workspaceFilesHandle } from "./workspace-files.ts";

/** All services and extension points declared here. The host validates what extensions provide against them. */
export const contracts: readonly Contract[] = [
  accessTokensHandle,
  approvalsHandle,
  channelsPoint,
  chatsHandle,
  clientConversationsHandle,
  commandSourcesPoint,
  commandsHandle,
  conversationRecordsHandle,
  conversationTextsHandle,
  conversationsHandle,
  extensionManagerHandle,
  fileChangesHandle,
  messageFilesHandle,
  folderGrantsHandle,
  folderTrustHandle,
  heartbeatHandle,
  hostConfigurationHandle,
  hostDefaultsHandle,
  httpEndpointHandle,
  mediaHandle,
  modelCallsHandle,
  modelProvidersPoint,
  pageFilesHandle,
  profilesHandle,
  promptHistoryHandle,
  promptSegmentsPoint,
  promptTemplatesHandle,
  promptVariablesPoint,
  schedulesHandle,
  skillsHandle,
  stepRecordsHandle,
  storageBackupHandle,
  storageErasureHandle,
  storageReportHandle,
  storedNamespacesHandle,
  systemPromptHandle,
  offeredToolServersHandle,
  toolServersHandle,
  toolSourcesPoint,
  toolsPoint,
  trustedFoldersHandle,
  unattendedHandle,
  workObserversPoint,
  workspaceFilesHandle,
];
