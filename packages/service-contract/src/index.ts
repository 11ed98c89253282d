export { conversationsHandle, type ConversationsService, type FollowOptions, type Page } from "./conversations.ts";
export { extensionManagerHandle, type ExtensionManager, type ManagedExtension } from "./extension-manager.ts";
export {
  modelProvidersPoint,
  type ModelEvent,
  type ModelFailure,
  type ModelMessage,
  type ModelProvider,
  type ModelRequest,
  type ToolDefinition,
} from "./model-provider.ts";
export { ServiceError } from "./service-error.ts";
export {
  promptSegmentsPoint,
  promptVariablesPoint,
  systemPromptHandle,
  type PreparedPrompt,
  type PromptContext,
  type PromptSegment,
  type PromptVariableContext,
  type PromptVariables,
  type RequestTier,
  type SystemPromptService,
} from "./system-prompt.ts";
export { httpEndpointHandle, type HttpEndpoint } from "./http-endpoint.ts";
export { storageReportHandle, type SetAsideFile, type StorageReport } from "./storage-report.ts";
export { toolsPoint, type Tool } from "./tools.ts";
// The shapes that services speak of are declared once, in the transport contract.
export {
  absentReasonSchema,
  conversationIdSchema,
  conversationSchema,
  DEFAULT_TEMPLATE,
  explainSchema,
  maxTemplateBytes,
  messageIdSchema,
  messageSchema,
  promptReasonSchema,
  stepIdSchema,
  stepRequestResponseSchema,
  stepSchema,
  staticVariables,
  turnEventSchema,
  turnIdSchema,
  turnInputSchema,
  usageSchema,
} from "@incipit/transport-contract";
export type {
  AbsentReason,
  ApiErrorCode,
  Conversation,
  ConversationId,
  ConversationSystemPromptResponse,
  CreateConversationRequest,
  CreateTurnRequest,
  Explain,
  Failure,
  FinishReason,
  Message,
  MessageId,
  MessagePart,
  PageQuery,
  PreviewSystemPromptRequest,
  PromptReason,
  Step,
  StepId,
  StepRequest,
  SystemPromptTemplateResponse,
  SystemPromptVariable,
  TierName,
  TurnEvent,
  TurnId,
  TurnStatus,
  Usage,
} from "@incipit/transport-contract";
