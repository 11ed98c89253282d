import type { FilePart, MessagePart, ModelMessage } from "@incipit/schema";

const bytesPerToken = 4;
/** Per image or page, approximately; smaller files count less. */
const maxTokensPerFile = 1_500;

export function estimatedTokens(messages: readonly ModelMessage[]): number {
  let tokens = 0;
  for (const { parts } of messages) for (const part of parts) tokens += tokensOf(part);
  return Math.ceil(tokens);
}

function tokensOf(part: MessagePart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return Buffer.byteLength(part.text) / bytesPerToken;
    case "tool-call":
      return Buffer.byteLength(part.input) / bytesPerToken;
    case "tool-result":
      return (part.files ?? []).reduce(
        (tokens, file) => tokens + tokensOfFile(file),
        Buffer.byteLength(part.output) / bytesPerToken,
      );
    case "file":
      return tokensOfFile(part);
  }
}

function tokensOfFile({ data }: Pick<FilePart, "data">): number {
  return Math.min(maxTokensPerFile, data.length);
}
