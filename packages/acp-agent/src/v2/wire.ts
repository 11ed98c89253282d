import {
  methods,
  RequestPermissionOutcome,
  type AgentConnection,
  type IdleStateUpdate,
  type StateUpdate,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { StopReason } from "@agentclientprotocol/sdk/unstable";
import type { EditorWire } from "../session/editor.ts";
import type { SessionState } from "../session/session-state.ts";
import { sessionUpdateOf, toolCallOf } from "./session-update.ts";

/** Connection to an editor that speaks version 2; converts messages in both directions. */
export function wireOf({ client, signal }: AgentConnection): EditorWire {
  const { update: updateMethod, requestPermission } = methods.client.session;
  return {
    signal,
    async notify({ sessionId, update }) {
      const told = sessionUpdateOf(update);
      if (told !== undefined) await client.notify(updateMethod, { sessionId, update: told });
    },
    async tellState(sessionId, state) {
      await client.notify(updateMethod, {
        sessionId,
        update: { sessionUpdate: "state_update", ...stateUpdate(state) },
      });
    },
    async ask({ sessionId, toolCall, about, options }, cancellationSignal) {
      const request = {
        sessionId,
        title: toolCall.title ?? toolCall.name ?? "A tool asks to run",
        ...(about.length === 0 ? {} : { description: about.join("\n\n") }),
        subject: { type: "tool_call" as const, toolCall: toolCallOf(toolCall) },
        options,
      };
      const { outcome } = await client.request(requestPermission, request, {
        cancellationSignal,
        stopWaitingOnCancel: true,
      });
      // Unknown outcomes grant nothing.
      return {
        outcome: RequestPermissionOutcome.isSelected(outcome)
          ? { outcome: "selected", optionId: outcome.optionId }
          : { outcome: "cancelled" },
      };
    },
    async askForm(question, cancellationSignal) {
      const request = { mode: "form" as const, ...question };
      return client.request(methods.client.elicitation.create, request, {
        cancellationSignal,
        stopWaitingOnCancel: true,
      });
    },
  };
}

const stops = {
  end_turn: { stopReason: "end_turn" },
  max_tokens: { stopReason: "max_tokens" },
  max_turn_requests: { stopReason: "max_turn_requests" },
  refusal: { stopReason: "refusal" },
  cancelled: { stopReason: "cancelled" },
} as const satisfies Record<StopReason, IdleStateUpdate>;

function stateUpdate(state: SessionState): StateUpdate {
  if (state.kind === "running") return { state: "running" };
  if (state.kind === "requires-action") return { state: "requires_action" };
  if (state.end === undefined) return { state: "idle" };
  const { usage = null } = state.end;
  if ("stopReason" in state.end) return { state: "idle", ...stops[state.end.stopReason], usage };
  return { state: "idle", stopReason: "error", error: state.end.error.toErrorResponse(), usage };
}
