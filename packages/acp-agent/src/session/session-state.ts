import type { RequestError, StopReason, Usage } from "@agentclientprotocol/sdk/unstable";
import type { Conversation } from "@incipit/schema";

/** What a session is doing at a moment. */
export type SessionState =
  | { readonly kind: "running" }
  /** All that runs waits for an answer of a person. */
  | { readonly kind: "requires-action" }
  | { readonly kind: "idle"; readonly end?: TurnEnd };

/** How a turn has ended. */
type TurnEnd = (
  | { readonly stopReason: StopReason }
  /** It failed. */
  | { readonly error: RequestError }
) & {
  /** Its tokens; absent: nothing was reported. */
  readonly usage?: Usage | undefined;
};

/** What a conversation is doing that is opened now. */
export function stateOf({
  status,
  approvals,
  questions,
}: Pick<Conversation, "status" | "approvals" | "questions">): SessionState {
  if (status === "idle") return { kind: "idle" };
  // Turns that wait since the host ended run when a person says so.
  return { kind: status === "waiting" || approvals.length + questions.length > 0 ? "requires-action" : "running" };
}
