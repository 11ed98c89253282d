import type { LanguageModelV4Message } from "@ai-sdk/provider";
import * as z from "zod";

/** Set by the adapter on a call with content after it. */
const placedSchema = z.object({ incipit: z.object({ behind: z.int().nonnegative() }) });

/** The host stores calls last, and the vendor rejects a reasoning item that is not followed by its result. */
export function inOrderOfReply(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const calls = message.content.filter(({ type }) => type === "tool-call");
  const places = calls.map((call) => placedSchema.safeParse(call.providerOptions).data?.incipit.behind);
  if (places.every((behind) => behind === undefined)) return message;
  const others = message.content.filter(({ type }) => type !== "tool-call");
  const callsBehind = (count: number): typeof calls =>
    calls.filter((_, index) => Math.min(places[index] ?? others.length, others.length) === count);
  const content = others.flatMap((part, index) => [part, ...callsBehind(index + 1)]);
  return { ...message, content: [...callsBehind(0), ...content] };
}

/** An interrupted reply leaves trailing reasoning. */
export function withoutLooseReasoning(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const last = message.content.findLastIndex(({ type }) => type !== "reasoning");
  return { ...message, content: message.content.slice(0, last + 1) };
}
