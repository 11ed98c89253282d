import type { LanguageModelV4Message } from "@ai-sdk/provider";
import * as z from "zod";

/** What the adapter notes of a call that something was written behind. */
const placedSchema = z.object({ incipit: z.object({ behind: z.int().nonnegative() }) });

/**
 * A reply in the order in which the model wrote it: the host keeps calls behind all else, and the vendor refuses an item of
 * reasoning that is not followed by what it led to.
 */
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

/** Without reasoning that led to nothing, as a reply has it that ended in the middle of it. */
export function withoutLooseReasoning(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const last = message.content.findLastIndex(({ type }) => type !== "reasoning");
  return { ...message, content: message.content.slice(0, last + 1) };
}
