import { describeCut } from "@incipit/schema";
import type { TurnOutcome } from "./follow-turn.ts";

/** The note for the reader of a reply that is not whole; `undefined`: it is. */
export function cutNote({
  cutReason,
  cutExplanation,
}: Pick<TurnOutcome, "cutReason" | "cutExplanation">): string | undefined {
  return cutReason === undefined ? undefined : `(${describeCut(cutReason, cutExplanation)}.)`;
}

/** The reply of a completed turn as it is passed on: with the note behind it where it is not whole. */
export function toldReply(outcome: Pick<TurnOutcome, "reply" | "cutReason" | "cutExplanation">): string {
  const note = cutNote(outcome);
  return note === undefined ? outcome.reply : `${outcome.reply}\n\n${note}`;
}
