import type { ReplyContext, WrittenReply } from "./model-reply.ts";
import type { CacheSettings, SimulatedCache, WireCall } from "./simulated-cache.ts";

/** By what a vendor calls it; DeepSeek's is the chat protocol with its own usage, and a cache of its own. */
export type WireName = "openai-chat" | "deepseek" | "openai-responses" | "anthropic" | "gemini";

/** How one vendor's endpoint speaks. */
export interface WireFormat {
  readonly name: WireName;
  /** What its `base_url` ends with: a slash and its version. */
  readonly basePath: string;
  isCall(path: string): boolean;
  isStreamed(call: WireCall): boolean;
  /**
   * A streamed reply in pieces: the first has everything up to the first of the text, the later ones what a vendor sends
   * next.
   */
  stream(reply: WrittenReply, context: ReplyContext): readonly string[];
  /** The same, not streamed. */
  whole(reply: WrittenReply, context: ReplyContext): string;
  /** What a strict endpoint would refuse; empty: nothing. */
  problems(body: string): readonly string[];
  newCache(settings: CacheSettings): SimulatedCache;
}

/** One server-sent event; `event` absent: it has no name. */
export function serverSentEvent(value: object, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}
