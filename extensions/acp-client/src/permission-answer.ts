import type { PermissionAnswer } from "@incipit/service-contract";
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";

interface Option {
  readonly optionId: string;
  readonly kind: string;
}

/**
 * What a person decided, as one of the agent's options. "Always" is kept by the host, for this conversation: an agent's own
 * "always" may hold for every other one too, so that it is chosen only where there is no "once". Whoever allowed a call once has
 * not allowed it for ever: where the agent has nothing less to offer, it is refused.
 */
export function permissionAnswer(
  options: readonly Option[],
  { decision, reason }: PermissionAnswer,
): RequestPermissionResponse {
  if (reason === "stopped" || reason === "interrupted") return cancelled;
  const wanted =
    decision === "deny"
      ? ["reject_once", "reject_always"]
      : decision === "allow"
        ? ["allow_once"]
        : ["allow_once", "allow_always"];
  const fallback = decision === "allow" ? ["reject_once"] : [];
  for (const kind of [...wanted, ...fallback]) {
    const option = options.find((offered) => offered.kind === kind);
    if (option !== undefined) return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  return cancelled;
}

/** The turn is over, or nothing that is offered is what was decided. */
export const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
