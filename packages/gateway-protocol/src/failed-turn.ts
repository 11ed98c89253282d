import { errorMessage } from "@incipit/kernel";
import type { TurnOutcome } from "./follow-turn.ts";
import { codeOf, isTransient } from "./transient-error.ts";

/**
 * For a turn that cannot be created or read.
 * @throws the error itself if it is transient.
 */
export function failedTurn(error: unknown): TurnOutcome {
  const code = codeOf(error);
  if (code === undefined || isTransient(error)) throw error;
  return { status: "failed", error: { code, message: errorMessage(error) }, reply: "", tokens: 0 };
}
