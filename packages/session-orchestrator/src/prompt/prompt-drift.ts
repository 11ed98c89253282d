import type { ModelPrices, PromptDrift, TokenCount } from "@incipit/schema";
import type { PromptDifference } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { fetchPrices, findModel, type FoundModel } from "../models/find-model.ts";
import { required } from "../failures/service-errors.ts";
import { readToolList } from "../store/tool-list.ts";
import { inTime } from "../waits/settle.ts";
import { promptAgent } from "./prompt-for-turn.ts";

const bytesPerToken = 4;

const none = "[]";

/**
 * `null` if never built.
 *
 * @throws {ServiceError} `SERVICE_UNAVAILABLE`.
 */
export async function promptDrift(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { signal }: { readonly signal: AbortSignal },
): Promise<PromptDrift | null> {
  await context.start.wait(signal); // The prompt depends on extensions.
  const { id, cwd, model } = conversation.record;
  const history = required(context.promptHistory, "prompt builder that remembers prompts");
  const promptContext = { model, signal, ...promptAgent(conversation.record) };
  const difference = await history.drift(id, cwd, promptContext);
  if (difference === null) return null;
  const { firstChangedByte, tokensBehind, keptTokens, ...drift } = difference;
  const { toolsSha256 } = conversation.record;
  const tools = toolsSha256 === null ? undefined : await readToolList(context.storage, toolsSha256);
  const toolsText = tools === undefined ? none : JSON.stringify(tools.tools);
  const tokens = reread(conversation, { firstChangedByte, tokensBehind, keptTokens, toolsText });
  const prices = await pricesOf(context, model);
  const usd = prices === null ? null : (tokens.count * prices.input) / 1_000_000;
  return { ...drift, rebuildCost: { tokens, firstChangedByte, usd } };
}

interface RereadOptions extends Pick<PromptDifference, "firstChangedByte" | "tokensBehind" | "keptTokens"> {
  readonly toolsText: string;
}

function reread(
  conversation: LoadedConversation,
  { firstChangedByte, tokensBehind, keptTokens, toolsText }: RereadOptions,
): TokenCount {
  if (firstChangedByte === null) return { count: 0, method: tokensBehind.method };
  if (conversation.history.length === 0) return tokensBehind;
  const tools = Math.ceil((Buffer.byteLength(toolsText) - none.length) / bytesPerToken);
  const inVendorsCount = conversation.contextSize.tokens;
  const messages =
    inVendorsCount === undefined
      ? estimateMessages(conversation)
      : Math.max(0, inVendorsCount - keptTokens.count - tools);
  return { count: tokensBehind.count + messages, method: "estimate" };
}

/** Omits files, whose token count depends on the vendor. */
function estimateMessages({ history }: LoadedConversation): number {
  let sizeBytes = 0;
  for (const { parts } of history) {
    for (const part of parts) {
      if (part.type === "text" || part.type === "reasoning") sizeBytes += Buffer.byteLength(part.text);
      if (part.type === "tool-call") sizeBytes += Buffer.byteLength(part.input);
      if (part.type === "tool-result") sizeBytes += Buffer.byteLength(part.output);
    }
  }
  return Math.ceil(sizeBytes / bytesPerToken);
}

/** Without a price, the estimate continues. */
async function pricesOf(context: OrchestratorContext, model: string): Promise<ModelPrices | null> {
  let found: FoundModel;
  try {
    found = findModel(context.providers, model);
  } catch {
    return null;
  }
  return inTime(context, fetchPrices(context, found), null);
}
