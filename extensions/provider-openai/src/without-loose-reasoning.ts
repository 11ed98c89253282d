import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * The prompt without reasoning that led to nothing, as a reply has it that ended in the middle of it: the vendor refuses an
 * item of reasoning that is not followed by what it led to.
 */
export function withoutLooseReasoning(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const last = message.content.findLastIndex(({ type }) => type !== "reasoning");
    return { ...message, content: message.content.slice(0, last + 1) };
  });
}
