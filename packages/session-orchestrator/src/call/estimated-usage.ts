import type { EstimatedUsage, MessagePart, Usage } from "@incipit/schema";
import type { ModelCallRequest } from "./model-call.ts";

/** Low for most texts, because the estimate is an upper bound of the cost. */
const bytesPerToken = 3;
/** Vendors' approximate count of a large image. */
const tokensPerFile = 2_000;

type Sent = Pick<ModelCallRequest, "systemPrompt" | "messages" | "tools">;

/** Many vendors report usage only at the end of a reply, yet charge for a stopped one. */
export function estimatedUsage(
  usage: Usage | null,
  { sent, reply }: { readonly sent: Sent; readonly reply: readonly MessagePart[] },
): EstimatedUsage | undefined {
  const isCounted = usage !== null && usage.inputTokens !== null && usage.outputTokens !== null;
  if (isCounted || reply.length === 0) return undefined;
  const { systemPrompt, messages, tools } = sent;
  return {
    inputTokens: usage?.inputTokens ?? tokensOf([systemPrompt, messages, tools]),
    outputTokens: usage?.outputTokens ?? tokensOf(reply),
  };
}

function tokensOf(value: unknown): number {
  let files = 0;
  const text = JSON.stringify(value, (_, inner: unknown) => {
    const isFile = typeof inner === "object" && inner !== null && "type" in inner && inner.type === "file";
    if (isFile) files += 1;
    return isFile ? null : inner;
  });
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken) + files * tokensPerFile;
}
