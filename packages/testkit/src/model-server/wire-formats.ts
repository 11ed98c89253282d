import { anthropicMessage, anthropicStream } from "./anthropic/anthropic-reply.ts";
import { anthropicRequestProblems } from "./anthropic/anthropic-request-problems.ts";
import { anthropicPrompt } from "./anthropic/anthropic-request.ts";
import { BreakpointCache } from "./anthropic/breakpoint-cache.ts";
import { chatRequestProblems } from "./openai/chat-request-problems.ts";
import { chatPrompt } from "./openai/chat-request.ts";
import { geminiResponse, geminiStream } from "./gemini/gemini-reply.ts";
import { geminiRequestProblems } from "./gemini/gemini-request-problems.ts";
import { geminiPrompt } from "./gemini/gemini-request.ts";
import { chatCompletion, chatStream, deepSeekUsage, openAiChatUsage } from "./openai/openai-chat-reply.ts";
import { responsesResponse, responsesStream } from "./openai/openai-responses-reply.ts";
import { responsesRequestProblems } from "./openai/openai-responses-request-problems.ts";
import { responsesPrompt } from "./openai/openai-responses-request.ts";
import { PrefixCache, type WireCall } from "./wire/simulated-cache.ts";
import type { WireFormat, WireName } from "./wire/wire-format.ts";

const isStreamed = ({ body }: WireCall): boolean => /"stream"\s*:\s*true/.test(body);

const openAiChat: WireFormat = {
  name: "openai-chat",
  basePath: "/v1",
  isCall: (path) => path.endsWith("/chat/completions"),
  isStreamed,
  stream: (reply, context) => chatStream(reply, context, openAiChatUsage),
  whole: (reply, context) => chatCompletion(reply, context, openAiChatUsage),
  problems: chatRequestProblems,
  // https://platform.openai.com/docs/guides/prompt-caching
  newCache: (settings) => new PrefixCache(chatPrompt, { unitTokens: 128, minTokens: 1024, ...settings }),
};

/** DeepSeek shares the paths of chat completions, so it must be configured. */
export const wireFormats: Readonly<Record<WireName, WireFormat>> = {
  "openai-chat": openAiChat,
  deepseek: {
    ...openAiChat,
    name: "deepseek",
    stream: (reply, context) => chatStream(reply, context, deepSeekUsage),
    whole: (reply, context) => chatCompletion(reply, context, deepSeekUsage),
    // https://api-docs.deepseek.com/guides/kv_cache
    newCache: (settings) => new PrefixCache(chatPrompt, { unitTokens: 64, minTokens: 64, ...settings }),
  },
  "openai-responses": {
    name: "openai-responses",
    basePath: "/v1",
    isCall: (path) => path.endsWith("/responses"),
    isStreamed,
    stream: responsesStream,
    whole: responsesResponse,
    problems: responsesRequestProblems,
    newCache: (settings) => new PrefixCache(responsesPrompt, { unitTokens: 128, minTokens: 1024, ...settings }),
  },
  anthropic: {
    name: "anthropic",
    basePath: "/v1",
    isCall: (path) => path.endsWith("/messages"),
    isStreamed,
    stream: anthropicStream,
    whole: anthropicMessage,
    problems: anthropicRequestProblems,
    newCache: (settings) => new BreakpointCache(anthropicPrompt, { minTokens: 1024, ...settings }),
  },
  gemini: {
    name: "gemini",
    basePath: "/v1beta",
    isCall: (path) => /:(?:stream)?generateContent$/i.test(path),
    isStreamed: ({ path }) => path.endsWith(":streamGenerateContent"),
    stream: geminiStream,
    whole: geminiResponse,
    problems: geminiRequestProblems,
    // https://ai.google.dev/gemini-api/docs/caching
    newCache: (settings) => new PrefixCache(geminiPrompt, { unitTokens: 1, minTokens: 1024, ...settings }),
  },
};

const byPath = ["openai-chat", "openai-responses", "anthropic", "gemini"] as const satisfies readonly WireName[];

export function wireFormatOf(path: string): WireFormat | undefined {
  const name = byPath.find((candidate) => wireFormats[candidate].isCall(path));
  return name === undefined ? undefined : wireFormats[name];
}
