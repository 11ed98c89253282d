import type { EstimatedUsage, MessagePart, Usage } from "@incipit/schema";
import type { ModelCallRequest } from "./model-call.ts";

/** How much JSON one token takes: less than in most texts, as the estimate stands for a cost that is not exceeded. */
const bytesPerToken = 3;
/** About what vendors count for a large picture. */
const tokensPerFile = 2_000;

type Sent = Pick<ModelCallRequest, "systemPrompt" | "messages" | "tools">;

/**
 * Estimates what a call took whose reply began and whose vendor did not count it: many count at the end of a reply alone, and
 * charge for one that was stopped. `undefined`: it was counted, or no reply began.
 */
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
