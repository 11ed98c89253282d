export { apiErrorCodeSchema, errorResponseSchema, statusByErrorCode, type ApiErrorCode, type ErrorResponse } from "./api-error.ts";
export {
  compactResponseSchema, conversationResponseSchema, conversationSchema, conversationsResponseSchema,
  createConversationRequestSchema, createTurnRequestSchema, messagesResponseSchema, pageQuerySchema, promptPartHashSchema,
  stepRequestResponseSchema, stepSchema, stepsResponseSchema, stopResponseSchema, turnAcceptedResponseSchema,
  turnInputSchema, type Conversation, type CreateConversationRequest, type CreateTurnRequest, type PageQuery, type Step,
  type StepRequest,
} from "./conversation.ts";
export {
  extensionResponseSchema, extensionSchema, extensionsResponseSchema, healthResponseSchema, modelSchema, modelsResponseSchema,
  type ExtensionInfo, type HealthResponse,
} from "./host-info.ts";
export {
  conversationIdSchema, messageIdSchema, sha256Schema, stepIdSchema, timestampSchema, turnIdSchema, type ConversationId,
  type MessageId, type StepId, type TurnId,
} from "./ids.ts";
export { messagePartSchema, messageSchema, textPartSchema, type Message, type MessagePart } from "./message.ts";
export {
  absentReasonSchema, conversationSystemPromptResponseSchema, DEFAULT_TEMPLATE, explainSchema, maxTemplateBytes,
  previewSystemPromptRequestSchema, previewSystemPromptResponseSchema, setSystemPromptTemplateRequestSchema,
  setSystemPromptTemplateResponseSchema, staticVariables, systemPromptTemplateResponseSchema, systemPromptVariableSchema,
  systemPromptVariablesResponseSchema, templateSourceSchema, tierNameSchema, type AbsentReason,
  type ConversationSystemPromptResponse, type Explain, type PreviewSystemPromptRequest, type SetSystemPromptTemplateRequest,
  type SystemPromptTemplateResponse, type SystemPromptVariable, type TemplateSource, type TierName,
} from "./system-prompt.ts";
export {
  failureSchema, finishReasonSchema, promptReasonSchema, turnEventSchema, turnStatusSchema, usageSchema, type Failure,
  type FinishReason, type PromptReason, type TurnEvent, type TurnEventType, type TurnStatus, type Usage,
} from "./turn-event.ts";
