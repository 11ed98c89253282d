export { createAiSdkProvider, type AiSdkProviderOptions } from "./ai-sdk-provider.ts";
export { plainSchemas, type PlainSchema } from "./plain-schemas.ts";
export type { AmendPromptOptions, CreateModelOptions, ReplyAmender, Vendor, VendorLookup } from "./vendor.ts";
