export { createAiSdkProvider, type AiSdkProviderOptions } from "./ai-sdk-provider.ts";
export { plainSchemas, type PlainSchema } from "./portable-schemas.ts";
export type { AmendPromptOptions, CreateModelOptions, ReplyConverter, Vendor, NativeToolSearch } from "./vendor.ts";
