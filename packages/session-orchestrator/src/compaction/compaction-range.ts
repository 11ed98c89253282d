import type { Message, TurnId } from "@incipit/schema";

export interface CompactionRange {
  /** How many of the epoch's messages are summed up, from the first on. */
  readonly summedUp: number;
  /** What had not been answered yet: it follows the summary, word for word. */
  readonly carried: readonly Message[];
}

/**
 * What a compaction sums up of an epoch. Messages of the user that nobody has answered are left out. In the middle of a turn
 * all is summed up, so that calls and results stay together, and the turn's own message is carried over.
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
