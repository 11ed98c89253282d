export { ApiClientError, type ApiClientErrorCode } from "./http/api-client-error.ts";
export { exportContentType } from "./http/requests.ts";
export type { CallOptions, ClientOptions } from "./http/requests.ts";
export { createClient, type Client } from "./client.ts";
export type { Endpoint, EndpointAnswer, EndpointClient, EndpointInput, EndpointOptions } from "./endpoint.ts";
export { fileChanges, restoreFiles } from "./file-changes.ts";
export { inputOf, lastUserMessage } from "./last-message.ts";
export { pagesOf } from "./pages-of.ts";
export { namedResources, withNamedResources, type NamedResource } from "./named-resources.ts";
export { nextRoute, withoutRoute } from "./errors/next-route.ts";
export { routes, type RouteName } from "./routes.ts";
export type { RouteAnswer, RouteInput, RouteWithoutInput, TypedRoute } from "./typed-route.ts";
export { callIdHeader, modelCallResponseSchema, modelCallsResponseSchema } from "./routes/call-routes.ts";
export {
  conversationResponseSchema,
  conversationsQuerySchema,
  conversationsResponseSchema,
  tasksResponseSchema,
  messagesResponseSchema,
  searchConversationsQuerySchema,
  searchConversationsResponseSchema,
} from "./routes/conversation-routes.ts";
export {
  addExtensionRequestSchema,
  extensionResponseSchema,
  extensionSchema,
  extensionsResponseSchema,
  removedExtensionResponseSchema,
  swapExtensionRequestSchema,
  swapReportSchema,
  type AddExtensionRequest,
  type ExtensionInfo,
  type SwapExtensionRequest,
  type SwapReportInfo,
} from "./routes/extension-routes.ts";
export {
  healthResponseSchema,
  modelSchema,
  modelsResponseSchema,
  type HealthResponse,
  type ConfiguredKeyInfo,
  type Model,
  type ToolServerInfo,
  type TrustedFolderInfo,
} from "./routes/host-routes.ts";
export type { OfferEvent } from "./routes/offered-server-routes.ts";
export {
  profileSchema,
  writtenProfileResponseSchema,
  writtenProfileSchema,
  type Profile,
  type WrittenProfileResponse,
} from "./routes/profile-routes.ts";
export { pageKeyHeader, signInLinkResponseSchema, signInRequestSchema } from "./routes/page-routes.ts";
export {
  constructedTextResponseSchema,
  promptConstructionsResponseSchema,
  promptDriftResponseSchema,
  rebuildPromptResponseSchema,
} from "./routes/prompt-routes.ts";
export {
  auditResponseSchema,
  conversationAuditResponseSchema,
  replayRequestSchema,
  replayResponseSchema,
  replaysResponseSchema,
  stepPlaceResponseSchema,
  stepsResponseSchema,
} from "./routes/record-routes.ts";
export type { Route, RouteAccess } from "./routes/route.ts";
export {
  channelMessageResponseSchema,
  channelMessagesResponseSchema,
  channelPeopleResponseSchema,
  channelsResponseSchema,
  pairingCodeResponseSchema,
  sentToChannelResponseSchema,
} from "./routes/channel-routes.ts";
export {
  scheduleResponseSchema,
  scheduleRunResponseSchema,
  scheduleRunsResponseSchema,
  schedulesResponseSchema,
} from "./routes/schedule-routes.ts";
export {
  putTemplateRequestSchema,
  putTemplateResponseSchema,
  systemPromptVariablesResponseSchema,
  templateConditionHeadersSchema,
  templateDiffQuerySchema,
} from "./routes/template-routes.ts";
export {
  answeredQuestionResponseSchema,
  answerApprovalRequestSchema,
  answerQuestionRequestSchema,
  approvalResponseSchema,
  compactResponseSchema,
  queueResponseSchema,
  stopResponseSchema,
  turnAcceptedResponseSchema,
} from "./routes/turn-routes.ts";
export {
  chatCompletionChunkSchema,
  chatCompletionSchema,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  type ChatDelta,
  type ChatFinishReason,
  type ChatMessage,
  type ChatModel,
  type ChatUsage,
} from "./openai/chat-completion.ts";
export type { EmbeddingsRequest } from "./openai/embeddings.ts";
export {
  anthropicReplySchema,
  anthropicStreamEventSchema,
  type AnthropicAssistantBlock,
  type AnthropicMessage,
  type AnthropicMessageRequest,
  type AnthropicReply,
  type AnthropicSaidBlock,
  type AnthropicSource,
  type AnthropicStopReason,
  type AnthropicStreamEvent,
  type AnthropicTold,
  type AnthropicUsage,
  type AnthropicUserBlock,
} from "./anthropic/anthropic-message.ts";
export {
  clientConversationSchema,
  clientItemListSchema,
  clientItemSchema,
  type ClientConversation,
  type ClientItem,
  type ClientItemsQuery,
} from "./openai/client-conversation.ts";
export {
  responseInputItemSchema,
  responseSchema,
  responseStreamEventSchema,
  type ResponseInputContent,
  type ResponseInputItem,
  type ResponseInputPart,
  type ResponseObject,
  type ResponseOutputItem,
  type ResponseRequest,
  type ResponseStreamEvent,
  type ResponseUsage,
} from "./openai/response.ts";
export {
  anthropicErrorOf,
  anthropicErrorOfFailure,
  anthropicErrorResponseSchema,
  type AnthropicErrorAnswer,
  type AnthropicErrorResponse,
} from "./anthropic/anthropic-error.ts";
export {
  openAiErrorOf,
  openAiErrorOfFailure,
  openAiErrorResponseSchema,
  type OpenAiError,
  type OpenAiErrorAnswer,
} from "./openai/openai-error.ts";
export { errorResponseSchema, statusByErrorCode, type ErrorResponse } from "./errors/api-error.ts";
export { capabilitiesSchema, type CapabilitiesInfo } from "./grants/capabilities.ts";
export { grantRequiredDetailsSchema } from "./grants/grant-required.ts";
