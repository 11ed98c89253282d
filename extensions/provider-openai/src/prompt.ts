import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelMessage, ToolDefinition } from "@incipit/service-contract";

/**
 * System texts first, each a message of its own; none: no system message at all. Reasoning is left out: a package that
 * sends it for some turns only would change what was sent before.
 */
export function toPrompt(
  systemPrompt: readonly string[],
  messages: readonly ModelMessage[],
): LanguageModelV4Prompt {
  return [...systemPrompt.map((content) => ({ role: "system", content }) as const), ...messages.map(toMessage)];
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return {
        role: "user",
        content: message.parts.flatMap((part) =>
          part.type === "text" ? [{ type: "text", text: part.text } as const] : [],
        ),
      };
    case "assistant":
      return {
        role: "assistant",
        content: message.parts.flatMap(
          (part): Extract<LanguageModelV4Message, { role: "assistant" }>["content"] => {
            if (part.type === "text") return [{ type: "text", text: part.text }];
            if (part.type === "tool-call")
              return [{ type: "tool-call", toolCallId: part.toolCallId, toolName: part.name, input: part.input }];
            return [];
          },
        ),
      };
    case "tool":
      return {
        role: "tool",
        content: message.parts.flatMap((part) => {
          if (part.type !== "tool-result") return [];
          const output = { type: part.isError ? "error-text" : "text", value: part.output } as const;
          return [{ type: "tool-result", toolCallId: part.toolCallId, toolName: part.name, output } as const];
        }),
      };
  }
}

/** In the order in which `toPrompt` gives the calls. */
export function toolInputs(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ role, parts }) =>
    role === "assistant" ? parts.flatMap((part) => (part.type === "tool-call" ? [part.input] : [])) : [],
  );
}

export function toTools(tools: readonly ToolDefinition[]): LanguageModelV4FunctionTool[] {
  return tools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema: JSON.parse(JSON.stringify(inputSchema)),
    }));
}
