import type { Outcome } from "../types.ts";
import { defineVariables } from "./define-variables.ts";

const source = "conversation";

/** A preview has no conversation, and possibly no model. */
export const promptVariables = defineVariables({ type: "prompt", source, open: ({ context }) => context }).named({
  cwd: { changes: null, isAlwaysThere: true, read: ({ cwd }) => outcomeOf(cwd) },
  model: { changes: null, isAlwaysThere: false, read: ({ model }) => outcomeOf(model) },
  conversation_id: {
    changes: null,
    isAlwaysThere: false,
    isOnlyInConversations: true,
    read: ({ conversationId }) => outcomeOf(conversationId),
  },
});

function outcomeOf(value: string | undefined): Outcome {
  return value === undefined ? { kind: "absent", reason: "not-set", source } : { kind: "value", value, source };
}
