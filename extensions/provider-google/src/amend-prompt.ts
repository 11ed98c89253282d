import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AmendPromptOptions } from "@incipit/ai-sdk-provider";
import { isGemma } from "./model-abilities.ts";

/**
 * The prompt with its system texts as one, as Gemini takes them.
 *
 * - They are joined with `"\n\n"`, each of them once: a request may repeat what the conversation's own prompt says.
 * - Gemma has no place for them: there they open the first message, in the call that writes it.
 * - What says nothing is left out: Gemini refuses an empty text, and a message without parts.
 */
export function amendPrompt(
  prompt: LanguageModelV4Prompt,
  { request: { model }, from }: AmendPromptOptions,
): LanguageModelV4Prompt {
  const texts = new Set(prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])));
  const said = prompt.flatMap(withoutEmpty);
  if (texts.size === 0) return said;
  const system = [...texts].join("\n\n");
  if (!isGemma(model)) return [{ role: "system", content: system }, ...said];
  return from > 0 ? said : opened(said, system);
}

function opened(messages: LanguageModelV4Prompt, text: string): LanguageModelV4Prompt {
  const [first, ...rest] = messages;
  const opening = { type: "text", text: `${text}\n\n` } as const;
  return first?.role === "user"
    ? [{ ...first, content: [opening, ...first.content] }, ...rest]
    : [{ role: "user", content: [opening] }, ...messages];
}

/** Of an assistant's message the package itself leaves out an empty text, but one with a signature. */
function withoutEmpty(message: LanguageModelV4Message): readonly LanguageModelV4Message[] {
  switch (message.role) {
    case "system":
      return [];
    case "user": {
      const content = message.content.filter((part) => part.type !== "text" || part.text !== "");
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    case "assistant": {
      const isSaid = message.content.some(
        (part) =>
          (part.type !== "text" && part.type !== "reasoning") ||
          part.text !== "" ||
          part.providerOptions?.["google"]?.["thoughtSignature"] !== undefined,
      );
      return isSaid ? [message] : [];
    }
    case "tool":
      return message.content.length === 0 ? [] : [message];
  }
}
