import type { MessagePart } from "@incipit/schema";
import type { AnthropicTold } from "@incipit/transport-contract";
import { systemTextsOf } from "./message-call-request.ts";
import { toMessageHistory } from "./message-history.ts";
import { toMessageTools } from "./message-settings.ts";

/** As the host estimates everywhere: no vendor's encoding is that of all models. */
const bytesPerToken = 4;
/** What a page or a picture of usual size takes with the vendors that say so. */
const fileTokens = 1_600;

/** What a request says, in tokens, without asking a vendor. @throws {ServiceError} `INVALID_REQUEST` as a call of it would. */
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
