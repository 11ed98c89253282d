import type { StorageWrite } from "@incipit/kernel";
import type { PromptReason, TurnId } from "@incipit/schema";
import type { PreparedPrompt } from "@incipit/service-contract";
import { callPromptBuilder } from "../call/call-prompt-builder.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { promptAgent } from "./prompt-agent.ts";

export interface NewPromptRequest {
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly reason: PromptReason;
  /** Requester and reason of a manual rebuild. */
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  readonly signal: AbortSignal;
}

/** Builds the conversation's current prompt without storing it. Returns `undefined` without a prompt builder. */
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

/** Commits a prepared prompt, its event and `writes` in one transaction. */
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
