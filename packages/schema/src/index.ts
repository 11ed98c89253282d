export {
  clippedLine,
  escapeBlanks,
  escapeHidden,
  escapeHiddenLine,
  hasHidden,
  HiddenEscaper,
  filenamePattern,
  replaceHidden,
  singleLine,
  toFilename,
} from "./text/hidden-characters.ts";
export { decodeText, encodingLabel, type TextEncodingName } from "./text/decode-text.ts";
export { repeatedKey } from "./text/repeated-key.ts";
export {
  approvalLines,
  isUnifiedDiff,
  renderApproval,
  type RenderedApproval,
} from "./conversation/render-approval.ts";
export { lazySchema } from "./values/lazy-schema.ts";
export {
  notifiedChatSchema,
  createScheduleRequestSchema,
  scheduleSchema,
  schedulesQuerySchema,
  updateScheduleRequestSchema,
  type CreateScheduleRequest,
  type Schedule,
  type ScheduleDefinition,
  type SchedulesQuery,
  type UpdateScheduleRequest,
} from "./schedules/schedule.ts";
export {
  channelSchema,
  type ChannelView,
  channelPersonSchema,
  pairingCodeSchema,
  type ChannelPersonView,
  type PairingCode,
} from "./channels/channel.ts";
export { allowedToolsSchema, includesAllTools, isToolAllowed } from "./conversation/allowed-tools.ts";
export {
  channelMessageSchema,
  continueInChatRequestSchema,
  sendToChannelRequestSchema,
  type ChannelMessageState,
  type ChannelMessageView,
  type ContinueInChatRequest,
  type SendToChannelRequest,
} from "./channels/channel-message.ts";
export {
  heartbeatSchema,
  heartbeatWakeSchema,
  type Heartbeat,
  type HeartbeatWake,
  type WakeOutcome,
} from "./schedules/heartbeat.ts";
export {
  addSpent,
  maxTokensPerDaySchema,
  maxUsdPerDaySchema,
  nothingSpent,
  spentOfCall,
  spentSchema,
  type Spent,
} from "./records/spent.ts";
export {
  unattendedCostSchema,
  unattendedStateSchema,
  type UnattendedCost,
  type UnattendedState,
} from "./schedules/unattended.ts";
export {
  reasoningEffortSchema,
  turnSettingsSchema,
  type ReasoningEffort,
  type TurnSettings,
} from "./model/turn-settings.ts";
export { profileConflictSchema, type ProfileConflict } from "./profiles/profile-conflict.ts";
export { profileNameSchema } from "./profiles/profile-name.ts";
export {
  profileBudgetSchema,
  profileFieldsSchema,
  type ProfileBudget,
  type ProfileTools,
} from "./profiles/profile.ts";
export {
  profileProblemSchema,
  profileSourceSchema,
  shadowedProfileSchema,
  type ProfileProblem,
  type ProfileSource,
  type ProfileTier,
  type ShadowedProfile,
} from "./profiles/profile-list.ts";
export { scheduleIdSchema } from "./schedules/schedule-id.ts";
export { scheduleRunSchema, type ScheduleRun } from "./schedules/schedule-run.ts";
export { addAuditSummaries, emptyAuditSummary } from "./records/audit-sums.ts";
export { callCost, inputUsd, isFree, type CallCost, type MissingForCost } from "./records/call-cost.ts";
export {
  costSchema,
  costsQuerySchema,
  spendLimitsSchema,
  type Cost,
  type CostsQuery,
  type SpendLimitsState,
} from "./records/costs.ts";
export {
  auditedConversationSchema,
  auditedStepSchema,
  auditQuerySchema,
  auditSummarySchema,
  type AuditedConversation,
  type AuditedStep,
  type AuditQuery,
  type AuditSummary,
} from "./records/audit.ts";
export { replaySchema, type Answer, type Replay } from "./records/replay.ts";
export { stepRecordSchema, type StepRecord } from "./records/step-record.ts";
export {
  approvalDecisionSchema,
  approvalEndReasonSchema,
  approvalSchema,
  allowedCallsSchema,
  type AllowedCalls,
  type ApprovalScope,
  type Approval,
  type ApprovalDecision,
  type ApprovalEndReason,
} from "./conversation/approval.ts";
export {
  requesterName,
  askerSchema,
  describeRequester,
  isSameAsker,
  type Requester,
} from "./conversation/requester.ts";
export { answerProblems, valueProblem, type AnswerProblem } from "./conversation/answer-problems.ts";
export {
  questionActionSchema,
  questionEndReasonSchema,
  questionSchema,
  type Question,
  type QuestionAction,
  type QuestionEndReason,
} from "./conversation/question.ts";
export {
  answerValueSchema,
  questionFieldSchema,
  type AnswerContent,
  type AnswerValue,
  type QuestionField,
} from "./conversation/question-field.ts";
export {
  compactConversationRequestSchema,
  createConversationRequestSchema,
  forkConversationRequestSchema,
  updateConversationRequestSchema,
  type CreateConversationRequest,
  type ForkConversationRequest,
  type UpdateConversationRequest,
} from "./conversation/conversation-requests.ts";
export {
  maxSnippetLength,
  searchResultSchema,
  type SearchMatch,
  type SearchResult,
} from "./conversation/conversation-search.ts";
export {
  calledTool,
  deferredServerSchema,
  type DeferredServer,
  type DeferReason,
} from "./conversation/deferred-tools.ts";
export { sentText } from "./conversation/sent-text.ts";
export {
  leftOutToolText,
  leftOutToolSchema,
  type OmittedTool,
  conversationToolsResponseSchema,
  toolOutputResponseSchema,
  type ConversationTools,
  type ToolOutput,
} from "./conversation/conversation-tools.ts";
export {
  offeredServerName,
  offeredToolServersSchema,
  type OfferedToolServer,
} from "./conversation/offered-tool-servers.ts";
export {
  archivedFilterSchema,
  conversationSchema,
  statusFilterSchema,
  type ArchivedFilter,
  type Conversation,
  type StatusFilter,
} from "./conversation/conversation.ts";
export { conversationTaskSchema, type ConversationTask } from "./records/conversation-task.ts";
export {
  changedFileSchema,
  fileChangesQuerySchema,
  fileChangesSchema,
  maxRestoredFiles,
  restoredFilesSchema,
  restoreFilesRequestSchema,
  type ChangedFile,
  type FileChanges,
  type FileChangesQuery,
  type RestoredFiles,
  type RestoreFilesRequest,
} from "./conversation/file-change.ts";
export { exportLineSchema, exportVersion, type ExportLine } from "./conversation/export-line.ts";
export {
  filePartSchema,
  messagePartSchema,
  partMetadataSchema,
  textPartSchema,
  type FilePart,
  type MessagePart,
  type PartMetadata,
} from "./conversation/message-part.ts";
export {
  messageFileParamsSchema,
  messageFilesSchema,
  replaceMessageFileRequestSchema,
  type MessageFile,
  type ReplaceMessageFileRequest,
} from "./conversation/message-file.ts";
export { describeFile, inputText, type InputPart } from "./conversation/input-text.ts";
export {
  messageSchema,
  messagesQuerySchema,
  shortTurnEndSchema,
  type CallPreview,
  type Message,
  type MessagesQuery,
  type ShortTurnEnd,
} from "./conversation/message.ts";
export { turnEventSchema, type TurnEvent, type TurnEventType, type TurnStatus } from "./conversation/turn-event.ts";
export { turnInputSchema } from "./conversation/turn-input.ts";
export {
  queuedTurnSchema,
  turnBodySchema,
  type CreateTurnRequest,
  type QueuedTurn,
  type TurnBody,
} from "./conversation/turn-request.ts";
export { harmlessCommand, harmlessCommands, type Harmless } from "./grants/harmless-commands.ts";
export { grantsSchema, grantWarning, prefixOf, readGrant, type Grant } from "./grants/grant.ts";
export { shellCommands, type SimpleCommand } from "./grants/shell-commands.ts";
export { callTimeoutSchema } from "./calls/call-timeout.ts";
export {
  modelCallExplainResponseSchema,
  modelCallSchema,
  type ModelCall,
  type ModelCallPrompt,
} from "./calls/model-call.ts";
export { requestPartSchema, type RequestPart } from "./calls/request-part.ts";
export { redactionSchema, type Redaction } from "./calls/redaction.ts";
export {
  differenceReasonSchema,
  stepPrefixSchema,
  type DifferenceReason,
  type StepPrefix,
} from "./calls/step-prefix.ts";
export { type UnaskedCall } from "./calls/auto-approved-call.ts";
export { toldInstructionsSchema, type ToldInstructions, stepSchema, type Step } from "./calls/step.ts";
export { stepRequestResponseSchema, type StepRequest } from "./calls/step-request.ts";
export {
  absentReasonSchema,
  type AbsentReason,
  explainSchema,
  type Explain,
  type LeftOutFileReason,
  type TextTrust,
  type TierName,
} from "./prompt/explain.ts";
export {
  conversationSystemPromptResponseSchema,
  type ConversationSystemPromptResponse,
} from "./prompt/conversation-system-prompt.ts";
export {
  previewSystemPromptRequestSchema,
  previewSystemPromptResponseSchema,
  type PreviewSystemPromptRequest,
  type PreviewSystemPromptResponse,
} from "./prompt/preview-system-prompt.ts";
export { isPromptPath } from "./prompt/prompt-path.ts";
export {
  promptConstructionSchema,
  rebuildOutcomeSchema,
  rebuildPromptRequestSchema,
  type PromptConstruction,
  type RebuildOutcome,
  type RebuildPromptRequest,
} from "./prompt/prompt-construction.ts";
export { promptDriftSchema, type DriftCause, type PromptDrift } from "./prompt/prompt-drift.ts";
export { promptReasonSchema, type PromptReason } from "./prompt/prompt-reason.ts";
export {
  staticVariables,
  systemPromptVariableSchema,
  type StaticVariable,
  type SystemPromptVariable,
} from "./prompt/system-prompt-variable.ts";
export { ruleImports, type ImportReading, type RuleImport } from "./prompt/rule-imports.ts";
export {
  lintCodeSchema,
  lintTemplateRequestSchema,
  lintTemplateResponseSchema,
  type LintCode,
  type LintFinding,
  type LintSeverity,
  type LintTemplateRequest,
  type LintTemplateResponse,
} from "./prompt/template-lint.ts";
export {
  templateFilesQuerySchema,
  templateFilesResponseSchema,
  type TemplateFilesQuery,
  type TemplateFilesResponse,
} from "./prompt/template-files.ts";
export {
  templateChangeSchema,
  templateConflictSchema,
  templateDiffResponseSchema,
  templateInForceSchema,
  templateVersionResponseSchema,
  templateVersionSchema,
  templateVersionsResponseSchema,
  type TemplateChange,
  type TemplateConflict,
  type TemplateInForce,
  type TemplateVersion,
  type TemplateVersionDiff,
  type TemplateVersionPage,
  type TemplateVersionText,
} from "./prompt/template-version.ts";
export {
  DEFAULT_TEMPLATE,
  REPOSITORY_TEMPLATE,
  maxTemplateBytes,
  systemPromptTemplateResponseSchema,
  type SystemPromptTemplateResponse,
  type TemplateSource,
} from "./prompt/template.ts";
export { type TextDiff } from "./prompt/text-diff.ts";
export { tokenCountSchema, type TokenCount } from "./prompt/token-count.ts";
export { chatFamilyNames, type ChatFamilyName } from "./model/chat-family-name.ts";
export { cutReasonOf, describeCut, type CutReason } from "./model/cut-reason.ts";
export { finishReasonSchema, type FinishReason } from "./model/finish-reason.ts";
export { modelFactsSchema, type ModelFacts } from "./model/model-facts.ts";
export { modelPricesSchema, type ModelPrices } from "./model/model-prices.ts";
export {
  embeddingInputSchema,
  embeddingVectorSchema,
  type EmbeddingInput,
  type EmbeddingVector,
} from "./model/embeddings.ts";
export { usageSchema, type EstimatedUsage, type Usage } from "./model/usage.ts";
export {
  accessTokenSchema,
  newAccessTokenSchema,
  type AccessToken,
  type NewAccessToken,
  tokenScopeSchema,
  type TokenScope,
} from "./values/access-token.ts";
export { apiErrorCodeSchema, type ApiErrorCode } from "./values/api-error-code.ts";
export { nextActionSchema, type NextAction } from "./values/next-action.ts";
export { failureSchema, type Failure } from "./values/failure.ts";
export { clientNameSchema } from "./values/client-name.ts";
export {
  approvalIdSchema,
  questionIdSchema,
  callIdSchema,
  conversationIdSchema,
  messageIdSchema,
  replayIdSchema,
  restorationIdSchema,
  scheduleRunIdSchema,
  stepIdSchema,
  tokenIdSchema,
  turnIdSchema,
  wakeIdSchema,
  type ApprovalId,
  type QuestionId,
  type CallId,
  type ConversationId,
  type MessageId,
  type ReplayId,
  type RestorationId,
  type StepId,
  type TokenId,
  type TurnId,
} from "./values/ids.ts";
export { pageQuerySchema, type PageQuery } from "./values/page-query.ts";
export { sha256Schema } from "./values/sha256.ts";
export { isTimeZone } from "./values/time-zone.ts";
export { timestampSchema } from "./values/timestamp.ts";
export type { ModelMessage } from "./conversation/model-message.ts";
export { isObject, type JsonObject } from "./values/json-object.ts";
export { withFields } from "./values/with-fields.ts";
export type { VendorResponse } from "./model/vendor-response.ts";
export type { ModelSettings } from "./model/model-settings.ts";
export type { ToolDefinition } from "./model/tool-definition.ts";
export {
  leftOutFileSchema,
  type FoundFileSource,
  type LeftOutFile,
  type LeftOutReason,
} from "./skills/found-file.ts";
export {
  openedSkillSchema,
  skillListSchema,
  skillSchema,
  type OpenedSkill,
  type Skill,
  type SkillList,
} from "./skills/skill.ts";
export {
  commandListSchema,
  commandSchema,
  shownCommandSchema,
  type Command,
  type CommandList,
  type CommandSourceKind,
  type ShownCommand,
} from "./skills/command.ts";
export { commandCallSchema, parseCommandCall, type CommandCall } from "./conversation/command-call.ts";
export { callToolName, searchToolName } from "./values/own-tool-names.ts";
