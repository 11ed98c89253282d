import { isQuiet, type TurnOutcome } from "@incipit/gateway-protocol";
import type { Failure, WakeOutcome } from "@incipit/schema";

/**
 * What a wake has come to. A reply that is not quiet is an alert, whatever it has in its middle; what the model has said by
 * its tool counts more (`notify`; `undefined`: nothing).
 */
export function replyOutcome(
  { status, error, reply }: TurnOutcome,
  notify: boolean | undefined,
): {
  readonly outcome: WakeOutcome;
  readonly error: Failure | null;
} {
  if (status !== "completed") return { outcome: status, error };
  if (notify === undefined ? isQuiet(reply) : !notify) return { outcome: "quiet", error };
  if (reply.trim() !== "") return { outcome: "alert", error };
  return { outcome: "failed", error: { code: "EMPTY_REPLY", message: "The model answered with nothing" } };
}
