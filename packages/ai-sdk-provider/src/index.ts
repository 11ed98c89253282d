export { createAiSdkProvider, type AiSdkProviderOptions } from "./ai-sdk-provider.ts";
export type { AmendPromptOptions, CreateModelOptions, Vendor, VendorLookup } from "./vendor.ts";
