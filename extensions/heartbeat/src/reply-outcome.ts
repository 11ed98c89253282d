import { isQuiet, type TurnOutcome } from "@incipit/gateway-protocol";
import type { Failure, WakeOutcome } from "@incipit/schema";

/** Any reply except a quiet one is an alert; the response tool's `notify` takes precedence. */
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
