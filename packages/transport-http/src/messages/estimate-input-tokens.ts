import type { MessagePart } from "@incipit/schema";
import type { AnthropicTold } from "@incipit/transport-contract";
import { systemTextsOf } from "./message-call-request.ts";
import { toMessageHistory } from "./message-history.ts";
import { toMessageTools } from "./message-settings.ts";

/** The host's general estimate; no encoding fits all vendors. */
const bytesPerToken = 4;
/** Typical size of a page or image, according to vendors. */
const fileTokens = 1_600;

/** Calls no vendor. */
export function estimateInputTokens(request: AnthropicTold): number {
  const history = toMessageHistory(request.messages);
  const parts = history.messages.flatMap((message) => message.parts);
  const tools = toMessageTools(request);
  const texts = [
    ...systemTextsOf(request, history),
    ...(tools.length === 0 ? [] : [JSON.stringify(tools)]),
    ...parts.flatMap(textsOf),
  ];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const files = parts.filter(({ type }) => type === "file").length;
  return Math.ceil(bytes / bytesPerToken) + files * fileTokens;
}

function textsOf(part: MessagePart): readonly string[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [part.text];
    case "tool-call":
      return [part.name, part.input];
    case "tool-result":
      return [part.output];
    case "file":
      return [];
  }
}
