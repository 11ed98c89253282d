import { describeCut } from "@incipit/schema";
import type { TurnOutcome } from "./follow-turn.ts";

export function cutNote({
  cutReason,
  cutExplanation,
}: Pick<TurnOutcome, "cutReason" | "cutExplanation">): string | undefined {
  return cutReason === undefined ? undefined : `(${describeCut(cutReason, cutExplanation)}.)`;
}

export function replyWithNote(outcome: Pick<TurnOutcome, "reply" | "cutReason" | "cutExplanation">): string {
  const note = cutNote(outcome);
  return note === undefined ? outcome.reply : `${outcome.reply}\n\n${note}`;
}
