import type { StorageWrite } from "@incipit/kernel";
import type { PromptReason, TurnId } from "@incipit/schema";
import type { PreparedPrompt } from "@incipit/service-contract";
import { callPromptBuilder } from "../call/call-prompt-builder.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { promptAgent } from "./prompt-agent.ts";

export interface NewPromptRequest {
  readonly model: string;
  readonly reason: PromptReason;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  readonly signal: AbortSignal;
}

export function prepareNewPrompt(
  context: OrchestratorContext,
  { record }: LoadedConversation,
  { by, note, signal, ...request }: NewPromptRequest,
): Promise<PreparedPrompt | undefined> {
  const { id, cwd } = record;
  const promptContext = {
    ...request,
    signal,
    ...promptAgent(record),
    ...(by === undefined ? {} : { by }),
    ...(note === undefined ? {} : { note }),
  };
  return callPromptBuilder(context.systemPrompt, (builder) => builder.prepare(id, cwd, promptContext), signal);
}

export function storeNewPrompt(
  { log }: LoadedConversation,
  { sha256, sizeBytes, batch }: PreparedPrompt,
  {
    turnId,
    reason,
    writes = [],
  }: { readonly turnId: TurnId; readonly reason: PromptReason; readonly writes?: readonly StorageWrite[] },
): Promise<void> {
  return log.append([{ type: "prompt-resolve", turnId, sha256, sizeBytes, reason }], writes, [batch]);
}
