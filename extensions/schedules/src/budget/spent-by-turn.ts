import { addSpent, nothingSpent, spentOfCall, type ConversationId, type Spent, type TurnId } from "@incipit/schema";
import { isTransient, type ConversationRecordsService } from "@incipit/service-contract";

const pageLimit = 100;

/**
 * Includes compaction and failed calls. Without the service or stored steps, returns the tokens from the turn's events,
 * without a cost.
 */
export async function spentByTurn(
  records: { readonly current: Pick<ConversationRecordsService, "steps"> | undefined },
  turn: { readonly conversationId: ConversationId; readonly turnId: TurnId; readonly tokens: number },
): Promise<Spent> {
  const service = records.current;
  const told = { tokens: turn.tokens, usd: 0, unpriced: turn.tokens === 0 ? 0 : 1 };
  if (service === undefined) return told;
  try {
    return (await readSpent(service, turn)) ?? told;
  } catch (error) {
    if (isTransient(error)) throw error;
    return told; // The conversation was deleted.
  }
}

async function readSpent(
  service: Pick<ConversationRecordsService, "steps">,
  { conversationId, turnId }: { readonly conversationId: ConversationId; readonly turnId: TurnId },
): Promise<Spent | undefined> {
  let spent: Spent | undefined;
  // Ids sort by creation time: the steps of a turn follow its id.
  for (let cursor: string | undefined = turnId; cursor !== undefined;) {
    const page: Awaited<ReturnType<typeof service.steps>> = await service.steps(conversationId, {
      cursor,
      limit: pageLimit,
    });
    for (const step of page.items) {
      if (step.turnId !== turnId || step.requestSha256 === null) continue;
      spent = addSpent(spent ?? nothingSpent, spentOfCall(step));
    }
    cursor = page.nextCursor;
  }
  return spent;
}
