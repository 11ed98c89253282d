import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/** GPT-5.6 and later; earlier models reject the field. */
const hasBreakpoints = /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)/;

/**
 * After the last system text, where conversations with the same prompt and tools diverge. The vendor adds one after
 * the newest message, and finds nothing between its breakpoints.
 * https://developers.openai.com/api/docs/guides/prompt-caching
 */
export function withBreakpoint(prompt: LanguageModelV4Prompt, model: string): LanguageModelV4Prompt {
  const last = prompt.findLastIndex(({ role }) => role === "system");
  if (!hasBreakpoints.test(model)) return prompt;
  return prompt.map((message, index) =>
    index === last
      ? { ...message, providerOptions: { openai: { promptCacheBreakpoint: { mode: "explicit" } } } }
      : message,
  );
}
