import type { ReplyContext, WrittenReply } from "./model-reply.ts";
import type { CacheSettings, SimulatedCache, WireCall } from "./simulated-cache.ts";

/** DeepSeek's is the chat protocol with its own usage and cache. */
export type WireName = "openai-chat" | "deepseek" | "openai-responses" | "anthropic" | "gemini";

export interface WireFormat {
  readonly name: WireName;
  /** Suffix of its `base_url`: a slash and the version. */
  readonly basePath: string;
  isCall(path: string): boolean;
  isStreamed(call: WireCall): boolean;
  /** A streamed reply in pieces: the first up to and including the first text, then one per vendor event. */
  stream(reply: WrittenReply, context: ReplyContext): readonly string[];
  whole(reply: WrittenReply, context: ReplyContext): string;
  /** Violations under strict rules. */
  problems(body: string): readonly string[];
  newCache(settings: CacheSettings): SimulatedCache;
}

/** Formats a server-sent event, unnamed without `event`. */
export function serverSentEvent(value: object, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}
