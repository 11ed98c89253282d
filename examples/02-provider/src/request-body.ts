import type { ModelMessage, ModelSettings } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";

/**
 * Stable fields come first and messages last, so that each request of a conversation is a byte prefix of the next,
 * except for closing brackets, and hits the vendor's cache. Without system texts there is no system message.
 */
export function requestBody({ model, tools, systemPrompt, messages, settings }: ModelRequest): string {
  return JSON.stringify({
    model,
    ...toSettings(settings),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function",
            function: { name, description, parameters: inputSchema },
          })),
        }),
    messages: [...systemPrompt.map((content) => ({ role: "system", content })), ...messages.flatMap(toMessages)],
  });
}

/** The supported settings of a call. JSON omits unset ones. */
function toSettings(settings: ModelSettings = {}): object {
  const { temperature, maxOutputTokens, stopSequences, toolChoice, responseFormat } = settings;
  const { name = "answer", schema } = responseFormat ?? {};
  return {
    temperature,
    max_tokens: maxOutputTokens,
    stop: stopSequences,
    response_format:
      schema === undefined
        ? responseFormat && { type: "json_object" }
        : { type: "json_schema", json_schema: { name, schema } },
    tool_choice: typeof toolChoice === "object" ? { type: "function", function: toolChoice } : toolChoice,
  };
}

/** Each tool result is a message. */
function toMessages({ role, parts }: ModelMessage): readonly object[] {
  const content = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  if (role === "user") return [{ role, content }];
  if (role === "tool") {
    return parts.flatMap((part) =>
      part.type === "tool-result" ? [{ role, tool_call_id: part.toolCallId, content: part.output }] : [],
    );
  }
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.toolCallId, type: "function", function: { name: part.name, arguments: part.input } }]
      : [],
  );
  return [{ role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}
