import type { MessagePart } from "@incipit/schema";
import type { ChatMessage } from "@incipit/transport-contract";
import { CallHistory, type ClientHistory, type GivenCall, type HistoryWords } from "../calls/call-history.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { textOf, toUserParts } from "./content-parts.ts";

type AssistantMessage = Extract<ChatMessage, { readonly role: "assistant" }>;

const words: HistoryWords = {
  callsField: "tool_calls",
  unanswered: 'must be followed by a message with the role "tool" for each call',
  unknownCall: "must be the id of a call of the assistant's message before, which has no result yet",
};

export function toHistory(messages: readonly ChatMessage[]): ClientHistory {
  const history = new CallHistory(words);
  const system: string[] = [];
  for (const [index, message] of messages.entries()) {
    const field = `messages.${index}`;
    switch (message.role) {
      case "system":
      case "developer":
        system.push(textOf(message.content));
        break;
      case "user":
        history.assertAnswered();
        history.addUser(toUserParts(message.content, field));
        break;
      case "assistant":
        history.assertAnswered();
        history.addAssistant(assistantParts(message, field), field);
        break;
      case "tool": {
        const { tool_call_id: id, content } = message;
        history.addResult({ id, field: `${field}.tool_call_id`, output: textOf(content), isError: false });
      }
    }
  }
  return { system, messages: history.end() };
}

function assistantParts(
  { content: given, refusal, reasoning_content: reasoning, tool_calls: calls }: AssistantMessage,
  field: string,
): readonly (MessagePart | GivenCall)[] {
  const content = given ?? refusal; // OpenAI's own replies have one or the other.
  const text = content === null || content === undefined ? "" : textOf(content);
  if (text === "" && !calls?.length && typeof content !== "string")
    throw invalidField(field, "must have `content` or `tool_calls`");
  const parts: (MessagePart | GivenCall)[] = [];
  if (reasoning) parts.push({ type: "reasoning", text: reasoning.toWellFormed() });
  if (text !== "" || !calls?.length) parts.push({ type: "text", text });
  for (const [index, { id, function: called }] of (calls ?? []).entries())
    parts.push({
      type: "call",
      id,
      field: `${field}.tool_calls.${index}.id`,
      name: called.name,
      input: called.arguments,
    });
  return parts;
}
