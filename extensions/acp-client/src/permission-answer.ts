import type { PermissionAnswer } from "@incipit/service-contract";
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";

interface Option {
  readonly optionId: string;
  readonly kind: string;
}

/**
 * The host handles "always" for this conversation: an agent's own "always" may apply globally, so it is only selected
 * without a "once" option. A single approval never selects a permanent option: without a lesser one, the call is
 * denied.
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

export const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
