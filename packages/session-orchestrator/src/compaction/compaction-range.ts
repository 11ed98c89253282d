import type { Message, TurnId } from "@incipit/schema";

export interface CompactionRange {
  readonly summedUp: number;
  readonly carried: readonly Message[];
}

/**
 * Carries unanswered user messages over. Within a turn, only its own message is not summarized, so that calls and
 * results stay together.
 */
export function compactionRange(
  messages: readonly Message[],
  { openTurn }: { readonly openTurn: TurnId | undefined },
): CompactionRange {
  const answered = messages.findLastIndex(({ role }) => role !== "user") + 1;
  const open = messages.slice(answered);
  if (open.length > 0) return { summedUp: answered, carried: open };
  const own = messages.findLast(({ role, turnId }) => role === "user" && turnId === openTurn);
  return { summedUp: messages.length, carried: own === undefined ? [] : [own] };
}
