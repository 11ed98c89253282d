export { createAiSdkProvider, type AiSdkProviderOptions } from "./ai-sdk/ai-sdk-provider.ts";
export type {
  AmendPromptOptions,
  CreateModelOptions,
  NativeToolSearch,
  ReplyConverter,
  Vendor,
} from "./ai-sdk/vendor.ts";
