export type { Endpoint } from "./endpoint.ts";
export { endpointKeys, endpointNeeds, toEndpoint } from "./endpoint-keys.ts";
export type { EndpointVendor } from "./endpoint-vendor.ts";
export type { EmbeddingsFormat } from "./embeddings-format.ts";
export { openAiEmbeddings } from "./openai-embeddings.ts";
export { createEndpointProvider, type CallAddress, type EndpointOptions } from "./endpoint-provider.ts";
export { BodyBounds } from "./body-bounds.ts";
export { boundedBody } from "./bounded-body.ts";
export { ReplyBody, type ReplyProgress } from "./reply-body.ts";
export { isEventStream, WireCall } from "./wire-call.ts";
export {
  badResponse,
  brokenOff,
  cutOff,
  failureEvent,
  noAnswer,
  refusedFailure,
  stopped,
  streamedFailure,
  thrownFailure,
  tooLarge,
  type CallState,
} from "./call-failure.ts";
export { maxArgumentsLength, maxSilentParts } from "./reply-limits.ts";
export { callIdFor, type CallIdRule } from "./call-id.ts";
export { jsonObject, parsedJson, wellFormedJson } from "./json-object.ts";
export { refusedProperty } from "./refused-property.ts";
export { toolSearchKey, usesVendorsSearch } from "./tool-search.ts";
