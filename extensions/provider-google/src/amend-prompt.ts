import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AmendPromptOptions } from "@incipit/ai-sdk-provider";
import type { ModelRequest } from "@incipit/service-contract";
import { filesOfResults } from "./files-of-results.ts";
import { isGemma } from "./model-abilities.ts";

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
    .map((message, index) => (isOwn(request, from + index) ? message : withoutSignatures(message)))
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

function isOwn({ messages, model }: ModelRequest, index: number): boolean {
  const said = messages[index]?.model;
  return said === undefined || said.slice(said.indexOf("/") + 1) === model;
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

/** The package itself drops an assistant's empty texts without a signature. */
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
