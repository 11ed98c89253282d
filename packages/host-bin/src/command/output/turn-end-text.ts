import { describeCut, type ShortTurnEnd, type TurnStatus } from "@incipit/schema";

const words: Readonly<Record<TurnStatus, string>> = {
  completed: "The turn is over",
  failed: "The turn failed",
  cancelled: "The turn was stopped",
  interrupted: "The turn was interrupted",
};

export function turnEndText({ status, error, cutReason, cutExplanation }: ShortTurnEnd): string {
  if (cutReason !== undefined) return describeCut(cutReason, cutExplanation);
  return `${words[status]}${error === undefined ? "" : `: ${error.message}`}`;
}

/** The answer alone does not show such an end. */
export function isShortEnd({ status, cutReason }: Pick<ShortTurnEnd, "status" | "cutReason">): boolean {
  return status !== "completed" || cutReason !== undefined;
}
