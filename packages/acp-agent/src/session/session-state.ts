import type { RequestError, StopReason, Usage } from "@agentclientprotocol/sdk/unstable";
import type { Conversation } from "@incipit/schema";

export type SessionState =
  | { readonly kind: "running" }
  /** Waiting for the user only. */
  | { readonly kind: "requires-action" }
  | { readonly kind: "idle"; readonly end?: TurnEnd };

type TurnEnd = (
  | { readonly stopReason: StopReason }
  /** The turn failed. */
  | { readonly error: RequestError }
) & {
  /** Token usage; absent if not reported. */
  readonly usage?: Usage | undefined;
};

/** Returns the state of a conversation when it is opened. */
export function stateOf({
  status,
  approvals,
  questions,
}: Pick<Conversation, "status" | "approvals" | "questions">): SessionState {
  if (status === "idle") return { kind: "idle" };
  // Turns that were queued when the host ended run on request of the user.
  return { kind: status === "waiting" || approvals.length + questions.length > 0 ? "requires-action" : "running" };
}
