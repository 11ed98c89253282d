import type { ConversationId, CreateConversationRequest } from "@incipit/schema";
import { callTarget } from "../call/call-target.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { StoredConversation } from "../store/stored.ts";

interface NewConversation extends CreateConversationRequest {
  readonly id: ConversationId;
  /** Absent: it is no task. */
  readonly parent?: StoredConversation["parent"];
}

/** @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, `MODEL_UNKNOWN`. */
export function newConversation(
  { defaults, clock, providers }: OrchestratorContext,
  { id, parent = null, ...request }: NewConversation,
): StoredConversation {
  const { cwd, model, profile } = callTarget({ defaults, providers }, request);
  const createdAt = new Date(clock.now()).toISOString();
  return {
    id,
    cwd,
    model,
    profile,
    title: request.title ?? null,
    forkedFrom: null,
    parent,
    importedAt: null,
    // Whoever works on a task is found where it was given.
    archived: parent !== null,
    allowedTools: request.allowedTools ?? null,
    epoch: 1,
    createdAt,
    updatedAt: createdAt,
    lastSeq: 0,
    toolsSha256: null,
  };
}
