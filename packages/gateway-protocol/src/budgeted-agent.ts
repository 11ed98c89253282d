import type { ConversationId } from "@incipit/schema";
import type { BudgetedAgent, ConversationsService } from "@incipit/service-contract";
import { isTransient } from "./transient-error.ts";

/**
 * The profile of the conversation, or of the one to be created; `undefined` without a profile. Rejects with transient
 * errors.
 */
export async function budgetedAgent(
  conversations: Pick<ConversationsService, "get">,
  {
    conversationId,
    profile,
    cwd,
  }: {
    /** Absent if a conversation will be created. */
    readonly conversationId: ConversationId | null | undefined;
    readonly profile: string | null | undefined;
    /** Absolute. Defaults to the host's. */
    readonly cwd?: string | null | undefined;
  },
): Promise<BudgetedAgent | undefined> {
  const planned = { profile: profile ?? null, cwd: cwd ?? null };
  const found =
    conversationId === null || conversationId === undefined
      ? planned
      : await conversations.get(conversationId).catch((error: unknown) => {
          if (isTransient(error)) throw error;
          return planned; // Deleted: it will be created again, or sending fails.
        });
  return found.profile === null ? undefined : { profile: found.profile, cwd: found.cwd };
}
