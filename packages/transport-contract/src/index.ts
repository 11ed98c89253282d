export { ApiClientError, type ApiClientErrorCode } from "./http/api-client-error.ts";
export { exportContentType } from "./http/requests.ts";
export type { CallOptions, ClientOptions } from "./http/requests.ts";
export { createClient, type Client } from "./client.ts";
export type { Endpoint, EndpointAnswer, EndpointClient, EndpointInput, EndpointOptions } from "./endpoint.ts";
export { fileChanges, restoreFiles } from "./file-changes.ts";
export { inputOf, lastUserMessage } from "./last-message.ts";
export { pagesOf } from "./pages-of.ts";
export { withNamedResources } from "./named-resources.ts";
export { nextRoute, withoutRoute } from "./errors/next-route.ts";
export { routes, type RouteName } from "./routes.ts";
export type { RouteAnswer, RouteInput, RouteWithoutInput, TypedRoute } from "./typed-route.ts";
export { callIdHeader, modelCallResponseSchema, modelCallsResponseSchema } from "./routes/call-routes.ts";
export {
  conversationResponseSchema,
  conversationsResponseSchema,
  tasksResponseSchema,
  messagesResponseSchema,
} from "./routes/conversation-routes.ts";
export {
  extensionResponseSchema,
  extensionSchema,
  extensionsResponseSchema,
  swapReportSchema,
  type ExtensionInfo,
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
export { pageKeyHeader } from "./routes/page-routes.ts";
export { promptConstructionsResponseSchema } from "./routes/prompt-routes.ts";
export { stepsResponseSchema } from "./routes/record-routes.ts";
export type { Route, RouteAccess } from "./routes/route.ts";
export { putTemplateResponseSchema } from "./routes/template-routes.ts";
export { turnAcceptedResponseSchema } from "./routes/turn-routes.ts";
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
