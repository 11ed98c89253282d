import type { ConversationId } from "@incipit/schema";
import type { BudgetedAgent, ConversationsService } from "@incipit/service-contract";
import { isPassing } from "./passing.ts";

/**
 * Whose budget a turn without a person counts for: the profile of its conversation, or of the one that would be made.
 * `undefined`: it has none. Rejects with what passes.
 */
export async function budgetedAgent(
  conversations: Pick<ConversationsService, "get">,
  {
    conversationId,
    profile,
    cwd,
  }: {
    /** Absent: one will be made. */
    readonly conversationId: ConversationId | null | undefined;
    readonly profile: string | null | undefined;
    /** Absolute; absent: the host's. */
    readonly cwd?: string | null | undefined;
  },
): Promise<BudgetedAgent | undefined> {
  const planned = { profile: profile ?? null, cwd: cwd ?? null };
  const found =
    conversationId === null || conversationId === undefined
      ? planned
      : await conversations.get(conversationId).catch((error: unknown) => {
          if (isPassing(error)) throw error;
          return planned; // It is gone: another one is made, or whoever sends says so.
        });
  return found.profile === null ? undefined : { profile: found.profile, cwd: found.cwd };
}
