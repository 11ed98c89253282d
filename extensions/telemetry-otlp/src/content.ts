import type { MessagePart } from "@incipit/schema";
import type { ModelCallWork, ToolCallWork } from "@incipit/service-contract";
import type { Attributes } from "@opentelemetry/api";
import { finishReasonName, known } from "./attributes.ts";

/** https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-input-messages.json */
function toPart(part: MessagePart): object {
  switch (part.type) {
    case "text":
      return { type: "text", content: part.text };
    case "reasoning":
      return { type: "reasoning", content: part.text };
    case "tool-call":
      return { type: "tool_call", id: part.toolCallId, name: part.name, arguments: part.input };
    case "tool-result":
      return { type: "tool_call_response", id: part.toolCallId, response: part.output };
    case "file":
      return {
        type: "blob",
        modality: part.mediaType.split("/")[0],
        mime_type: part.mediaType,
        content: part.data,
      };
  }
}

export function modelCallContent({ content, finishReason }: ModelCallWork): Attributes {
  if (content === undefined) return {};
  const { systemPrompt, messages, tools, reply } = content;
  const system = systemPrompt.map((text) => ({ type: "text", content: text }));
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: inputSchema,
  }));
  return known({
    "gen_ai.system_instructions": system.length === 0 ? null : JSON.stringify(system),
    "gen_ai.input.messages": JSON.stringify(
      messages.map(({ role, parts }) => ({ role, parts: parts.map(toPart) })),
    ),
    "gen_ai.output.messages": JSON.stringify([
      {
        role: "assistant",
        parts: reply.map(toPart),
        finish_reason: finishReason === null ? "error" : finishReasonName(finishReason),
      },
    ]),
    "gen_ai.tool.definitions": definitions.length === 0 ? null : JSON.stringify(definitions),
  });
}

export function toolCallContent({ content }: ToolCallWork): Attributes {
  return content === undefined
    ? {}
    : { "gen_ai.tool.call.arguments": content.input, "gen_ai.tool.call.result": content.output };
}
