import { describeCut } from "@incipit/schema";
import type { TurnOutcome } from "./follow-turn.ts";

/** Returns a note for users about a truncated reply, or `undefined`. */
export function cutNote({
  cutReason,
  cutExplanation,
}: Pick<TurnOutcome, "cutReason" | "cutExplanation">): string | undefined {
  return cutReason === undefined ? undefined : `(${describeCut(cutReason, cutExplanation)}.)`;
}

/** Returns a completed turn's reply, with a note if truncated. */
export function replyWithNote(outcome: Pick<TurnOutcome, "reply" | "cutReason" | "cutExplanation">): string {
  const note = cutNote(outcome);
  return note === undefined ? outcome.reply : `${outcome.reply}\n\n${note}`;
}
