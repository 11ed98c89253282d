import { errorMessage } from "@incipit/kernel";
import type { TurnOutcome } from "./follow-turn.ts";
import { codeOf, isPassing } from "./passing.ts";

/**
 * The outcome where there is no turn, or none that can be read, and never will be.
 * @throws the error itself when the same may go well later.
 */
export function failedTurn(error: unknown): TurnOutcome {
  const code = codeOf(error);
  if (code === undefined || isPassing(error)) throw error;
  return { status: "failed", error: { code, message: errorMessage(error) }, reply: "", tokens: 0 };
}
