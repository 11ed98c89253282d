import type { ReplyContext, WrittenReply } from "./model-reply.ts";
import type { CacheSettings, SimulatedCache, WireCall } from "./simulated-cache.ts";

/** DeepSeek's is the chat protocol with its own usage and cache. */
export type WireName = "openai-chat" | "deepseek" | "openai-responses" | "anthropic" | "gemini";

export interface WireFormat {
  readonly name: WireName;
  /** A slash and the version. */
  readonly basePath: string;
  isCall(path: string): boolean;
  isStreamed(call: WireCall): boolean;
  /** The first piece includes the first text, then one per vendor event. */
  stream(reply: WrittenReply, context: ReplyContext): readonly string[];
  whole(reply: WrittenReply, context: ReplyContext): string;
  problems(body: string): readonly string[];
  newCache(settings: CacheSettings): SimulatedCache;
}

/** Formats a server-sent event; without `event` it has no name. */
export function serverSentEvent(value: object, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}
