import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { takesInResult } from "./model-abilities.ts";

type ToolMessage = Extract<LanguageModelV4Message, { readonly role: "tool" }>;
type UserMessage = Extract<LanguageModelV4Message, { readonly role: "user" }>;

/** Files that the model does not accept in a result, such as audio, follow in a user message. */
export function filesOfResults(message: ToolMessage, model: string): readonly (ToolMessage | UserMessage)[] {
  const behind: UserMessage["content"] = [];
  const content = message.content.map((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    const value = part.output.value.filter((item) => {
      if (item.type !== "file" || takesInResult({ model, mediaType: item.mediaType })) return true;
      behind.push({ type: "text", text: `A file of the result of ${part.toolName}:` }, item);
      return false;
    });
    return { ...part, output: { ...part.output, value } };
  });
  const results = { ...message, content };
  return behind.length === 0 ? [results] : [results, { role: "user", content: behind }];
}
