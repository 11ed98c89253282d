import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AmendPromptOptions } from "@incipit/provider-kit/ai-sdk";
import { isFromModel } from "@incipit/provider-kit";
import { isGemma, takesInResult } from "./model-abilities.ts";

type Said = Exclude<LanguageModelV4Message, { readonly role: "system" }>;

/**
 * - Gemini requires one system text: they are joined with `"\n\n"`, without repetitions, since a request may repeat
 * the conversation's prompt.
 * - Gemma has no system field: there they open the first message, in the call that writes it.
 * - Thoughts and signatures of other models are omitted.
 * - Empty content is omitted: Gemini rejects empty texts and messages without parts.
 */
export function amendPrompt(
  prompt: LanguageModelV4Prompt,
  { request, from }: AmendPromptOptions,
): LanguageModelV4Prompt {
  const texts = new Set(prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])));
  const said = prompt
    .filter((message) => message.role !== "system")
    .map((message, index) =>
      isFromModel(request.messages[from + index] ?? {}, request.model) ? message : withoutSignatures(message),
    )
    .flatMap(withoutEmpty)
    .flatMap((message): readonly Said[] =>
      message.role === "tool" ? filesOfResults(message, request.model) : [message],
    );
  if (texts.size === 0) return said;
  const system = [...texts].join("\n\n");
  if (!isGemma(request.model)) return [{ role: "system", content: system }, ...said];
  return from > 0 ? said : opened(said, system);
}

function opened(messages: readonly Said[], text: string): LanguageModelV4Prompt {
  const [first, ...rest] = messages;
  const opening = { type: "text", text: `${text}\n\n` } as const;
  return first?.role === "user"
    ? [{ ...first, content: [opening, ...first.content] }, ...rest]
    : [{ role: "user", content: [opening] }, ...messages];
}

/**
 * Signatures are valid only for the model that issued them; another may reject the request permanently as corrupted.
 * For calls without one, the package sends the vendor's placeholder:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function withoutSignatures(message: Said): Said {
  if (message.role !== "assistant") return message;
  const content = message.content.flatMap((part) => {
    const { providerOptions: _, ...unsigned } = part;
    return part.type === "reasoning" ? [] : [unsigned];
  });
  return { role: "assistant", content };
}

/** Removes empty texts. The AI SDK itself removes those of an assistant that have no signature. */
function withoutEmpty(message: Said): readonly Said[] {
  switch (message.role) {
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
