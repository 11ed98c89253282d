export {
  accessTokensHandle,
  type AccessTokens,
  type CreatedToken,
  type CreateTokenOptions,
  type FoundToken,
} from "./access-tokens.ts";
export { approvalsHandle, type ApprovalAnswer, type ApprovalsService, type GivenAnswer } from "./approvals.ts";
export {
  channelsPoint,
  type Channel,
  type ChannelButton,
  type ChannelChat,
  type ChannelDelivery,
  type ChannelFile,
  type ChannelInbox,
  type ChannelMessage,
  type ChannelPerson,
  type ChannelSettings,
  type ChatSettings,
  type ChannelUpdate,
} from "./channels.ts";
export { chatsHandle, type Chats } from "./chats.ts";
export {
  commandSourcesPoint,
  type CommandSource,
  type CommandSourceAnswer,
  type OfferedCommand,
  type OfferedMessage,
} from "./command-sources.ts";
export { commandsHandle, type CommandsService, type ExpandedCommand } from "./commands.ts";
export { contracts } from "./contracts.ts";
export {
  conversationRecordsHandle,
  type ConversationRecordsService,
  type CostsPage,
} from "./conversation-records.ts";
export {
  conversationsHandle,
  type AcknowledgedTurn,
  type ConversationsService,
  type FollowOptions,
  type ListQuery,
  type Page,
  type SearchQuery,
  type CreateOptions,
  type ParentCall,
  type SendOptions,
  type SentMessage,
} from "./conversations.ts";
export { pointPowers, servicePowers, type ContractPower } from "./contract-powers.ts";
export {
  definePromptBuilder,
  type PromptBuildContext,
  type PromptBuilder,
  type PromptPiece,
} from "./define-prompt-builder.ts";
export {
  extensionManagerHandle,
  type ExtensionFailure,
  type ExtensionManager,
  type ManagedExtension,
} from "./extension-manager.ts";
export {
  fileChangesHandle,
  messageFilesHandle,
  type FileChangesService,
  type MessageFilesService,
} from "./file-changes.ts";
export { folderGrantsHandle, type FolderAllowance, type FolderGrant, type FolderGrants } from "./folder-grants.ts";
export { folderTrustHandle, type FileTrust, type FolderTrust } from "./folder-trust.ts";
export {
  modelCallsHandle,
  type EmbeddingCall,
  type EmbeddingCallRequest,
  type ModelCallEvent,
  type ModelCallOptions,
  type ModelCallRequest,
  type ModelCallsService,
} from "./model-calls.ts";
export type { FoundTools, DeferredTools } from "./deferred-tools.ts";
export {
  modelProvidersPoint,
  type EmbeddingReply,
  type EmbeddingRequest,
  type Embeddings,
  type ModelEvent,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  type PermissionAnswer,
  type PermissionQuestion,
  type RequestObserver,
  type SessionRequest,
} from "./model-provider.ts";
export { codeOf, isTransient, ServiceError } from "./service-error.ts";
export {
  cutNote,
  failedTurn,
  followTurn,
  replyWithNote,
  type SentTurn,
  type TurnOutcome,
  type TurnWatcher,
} from "./follow-turn.ts";
export { heartbeatHandle, type HeartbeatService } from "./heartbeat.ts";
export { unattendedHandle, type UnattendedService } from "./unattended.ts";
export { schedulesHandle, type Schedules } from "./schedules.ts";
export { skillsHandle, type SkillsService } from "./skills.ts";
export { stepRecordsHandle, type StepRecordsService } from "./step-records.ts";
export {
  maxSegmentBytes,
  maxSegmentTimeoutMs,
  maxVariableBytes,
  promptSegmentsPoint,
  promptVariablesPoint,
  systemPromptHandle,
  type PreparedPrompt,
  type PromptContext,
  type PromptSegment,
  type PromptSegmentText,
  type PromptVariableContext,
  type PromptVariables,
  type RequestTier,
  type SystemPromptService,
  type UntrustedPolicy,
  type UsableTools,
  type VariableAnswer,
  type VariableFile,
  type LeftOutVariableFile,
} from "./system-prompt.ts";
export { conversationTextsHandle, type ConversationTexts } from "./conversation-texts.ts";
export {
  profilesHandle,
  type FoundProfile,
  type FoundProfiles,
  type ProfileOptions,
  type ProfileRemoval,
  type ProfilesService,
  type ProfileWrite,
  type ProfileWriteCondition,
  type WrittenProfile,
} from "./profiles.ts";
export { promptHistoryHandle, type PromptDifference, type PromptHistory } from "./prompt-history.ts";
export {
  hostConfigurationHandle,
  type ConfiguredKey,
  type HostConfiguration,
  type KeyOrigin,
} from "./host-configuration.ts";
export { hostDefaultsHandle, type HostDefaults, type Profile } from "./host-defaults.ts";
export { httpEndpointHandle, type HttpEndpoint } from "./http-endpoint.ts";
export {
  mediaHandle,
  type KeptFile,
  type Media,
  type RefusedFile,
  type ReplyFile,
  type ReplyPart,
  type SentFile,
  type SplitReply,
  type SplitRequest,
} from "./media.ts";
export { pageFilesHandle, type PageFile, type PageFiles } from "./page-files.ts";
export {
  promptTemplatesHandle,
  type ConditionalChange,
  type EntityTags,
  type PromptTemplates,
  type TemplateCondition,
} from "./prompt-templates.ts";
export { storageBackupHandle, type StorageBackup } from "./storage-backup.ts";
export {
  clientConversationsHandle,
  type ClientConversationKey,
  type ClientConversationsService,
  type ClientItemsPage,
  type StoredClientConversation,
  type StoredClientItem,
} from "./client-conversations.ts";
export { storageErasureHandle, type StorageErasure } from "./storage-erasure.ts";
export { storageReportHandle, type SetAsideFile, type StorageReport, type WriteFailure } from "./storage-report.ts";
export { storedNamespacesHandle, type StoredNamespaces } from "./stored-namespaces.ts";
export { offeredToolServersHandle, type OfferedToolServers } from "./offered-tool-servers.ts";
export {
  type BegunSignIn,
  toolServersHandle,
  type ListedResource,
  type ResourceContent,
  type ResourceList,
  type ToolOfServer,
  type ToolServer,
  type ToolServers,
} from "./tool-servers.ts";
export { trustedFoldersHandle, type TrustedFolder, type TrustedFolders } from "./trusted-folders.ts";
export {
  toolSourcesPoint,
  storedOutputName,
  storedOutputPath,
  toolsPoint,
  type FileChange,
  type ToolAnswer,
  type ToolProgress,
  type Tool,
  type ToolQuestion,
  type ToolScope,
  type ToolSource,
  type ToolSourceAnswer,
  type ValuesAnswer,
  type ValuesQuestion,
} from "./tools.ts";
export {
  workObserversPoint,
  type AskedModel,
  type EmbeddingWork,
  type ModelCallWork,
  type ToolCallWork,
  type TurnWork,
  type Work,
  type WorkObserver,
} from "./work-observers.ts";
export {
  workspaceFilesHandle,
  type FileContent,
  type WorkspaceFileOptions,
  type WorkspaceFileRead,
  type WorkspaceFileReplaced,
  type WorkspaceFiles,
} from "./workspace-files.ts";
