export { createAiSdkProvider, type AiSdkProviderOptions } from "./ai-sdk-provider.ts";
export type { AmendPromptOptions, CreateModelOptions, Vendor } from "./vendor.ts";
