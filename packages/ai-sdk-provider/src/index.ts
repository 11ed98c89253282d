export { createAiSdkProvider, type AiSdkProviderOptions } from "./ai-sdk-provider.ts";
export { endpointShape, type Endpoint } from "./endpoint.ts";
export type { AmendPromptOptions, CreateModelOptions, Vendor } from "./vendor.ts";
export { parsedJson } from "./json-object.ts";
