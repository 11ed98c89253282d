export type { Endpoint } from "./vendor/endpoint.ts";
export type { EmbeddingsFormat, EndpointVendor } from "./vendor/endpoint-vendor.ts";
export { createEndpointProvider, type CallAddress, type EndpointOptions } from "./endpoint/endpoint-provider.ts";
export { openAiEmbeddings } from "./endpoint/openai-embeddings.ts";
export { endpointKeys, endpointNeeds, toEndpoint } from "./keys/endpoint-keys.ts";
export { toolSearchKey, usesVendorsSearch } from "./keys/tool-search.ts";
export { isFromModel } from "./requests/is-from-model.ts";
export { callIdFor, type CallIdRule } from "./requests/call-id.ts";
export { jsonObject, parsedJson } from "./requests/json-object.ts";
export { isEventStream, WireCall } from "./requests/wire-call.ts";
export { BodyBounds, maxArgumentsLength, maxSilentParts } from "./replies/body-bounds.ts";
export { ReplyBody } from "./replies/reply-body.ts";
export {
  badResponse,
  brokenOff,
  cutOff,
  failureEvent,
  refusedFailure,
  stopped,
  streamedFailure,
  thrownFailure,
  tooLarge,
  type CallState,
} from "./failures/call-failure.ts";
export { isJsonList, isJsonObject, mapSchemas } from "./tools/map-schemas.ts";
export { plainSchemas, refusedProperty, type PlainSchema } from "./tools/portable-schemas.ts";
