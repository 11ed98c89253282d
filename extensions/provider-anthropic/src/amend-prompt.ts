import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";

/**
 * - The last system block gets a breakpoint: tools and system come first, and are read from the cache by every
 * conversation that shares them, and by requests whose history is not cached.
 * - Each message stays separate. The package joins neighbours of one role, so that a later message would change bytes
 * already sent; an empty message, which is not written, keeps them apart. The API joins them itself.
 * - Blank texts are omitted, as are trailing thinking and thinking without a signature, which gateways and compatible
 * servers send: the API would reject the request and every later one.
 */
export function amendPrompt(
  prompt: LanguageModelV4Prompt,
  breakpointOptions: SharedV4ProviderOptions,
): LanguageModelV4Prompt {
  const isSystem = (message: LanguageModelV4Message): boolean =>
    message.role === "system" && message.content.trim() !== "";
  const lastSystem = prompt.findLastIndex(isSystem);
  return prompt.flatMap((message, index): LanguageModelV4Prompt => {
    if (message.role !== "system") return [taken(message), separator(message)];
    if (!isSystem(message)) return [];
    return [index === lastSystem ? { ...message, providerOptions: breakpointOptions } : message];
  });
}

function separator({ role }: LanguageModelV4Message): LanguageModelV4Message {
  return { role: role === "assistant" ? "user" : "assistant", content: [] };
}

function taken(message: LanguageModelV4Message): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return { ...message, content: message.content.filter((part) => !isBlank(part)) };
    case "assistant":
      return { ...message, content: said(message.content) };
    case "tool":
      return message;
  }
}

interface SaidPart {
  readonly type: string;
  readonly text?: string;
  readonly providerOptions?: SharedV4ProviderOptions;
}

function said<Part extends SaidPart>(content: readonly Part[]): Part[] {
  const sent = content.filter((part) => !isBlank(part) && !isUnsigned(part));
  return sent.slice(0, sent.findLastIndex(({ type }) => type !== "reasoning") + 1);
}

function isBlank(part: { readonly type: string; readonly text?: string }): boolean {
  return part.type === "text" && part.text?.trim() === "";
}

function isUnsigned({ type, providerOptions }: SaidPart): boolean {
  const { signature, redactedData } = providerOptions?.["anthropic"] ?? {};
  return type === "reasoning" && (signature ?? "") === "" && redactedData === undefined;
}
