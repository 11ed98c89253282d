import { errorMessage } from "@incipit/kernel";
import type { TurnId } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { compact } from "./compact.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";

export interface AutomaticCompactionOptions {
  readonly openTurn: TurnId;
  readonly model: string;
  readonly window: number | undefined;
  readonly signal: AbortSignal;
}

/** Returns whether a new epoch began. After a failure, waits until the conversation has grown. */
export async function compactWhenDue(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { openTurn, model, window, signal }: AutomaticCompactionOptions,
): Promise<boolean> {
  const { auto, share } = context.settings.compaction;
  if (!auto || window === undefined) return false;
  const estimated = conversation.contextTokens;
  if (!conversation.contextSize.isDue({ window, share, estimated })) return false;
  try {
    await compact(context, conversation, { openTurn, model, maxSummaryTokens: window * share, signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false; // Stopped with its turn; due again in the next one.
    conversation.contextSize.putOff({ window, estimated });
    const isTooShort = ServiceError.is(error) && error.code === "NOTHING_TO_COMPACT";
    const message = errorMessage(error);
    if (!isTooShort)
      context.log.warn("A conversation was not compacted", {
        conversationId: conversation.record.id,
        error: message,
      });
    return false;
  }
}
