import type { Message, MessagePart } from "@incipit/schema";

type ToolCall = Extract<MessagePart, { readonly type: "tool-call" }>;

export function unanswered(parts: readonly MessagePart[]): readonly ToolCall[] {
  const answered = new Set(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
  return parts.filter((part) => part.type === "tool-call").filter(({ toolCallId }) => !answered.has(toolCallId));
}

/** Calls that the provider ran appear like host calls: each followed by its result. */
export function messagesOf(
  parts: readonly MessagePart[],
): readonly { readonly role: Exclude<Message["role"], "user">; readonly parts: readonly MessagePart[] }[] {
  const messages: { readonly role: Exclude<Message["role"], "user">; readonly parts: readonly MessagePart[] }[] =
    [];
  let said: MessagePart[] = [];
  let results: MessagePart[] = [];
  const flush = (): void => {
    if (said.length > 0) messages.push({ role: "assistant", parts: said });
    if (results.length > 0) messages.push({ role: "tool", parts: results });
    [said, results] = [[], []];
  };
  for (const part of parts) {
    if (part.type === "tool-result") {
      results.push(part);
      continue;
    }
    if (part.type !== "tool-call" && results.length > 0) flush();
    said.push(part);
  }
  flush();
  return messages;
}
