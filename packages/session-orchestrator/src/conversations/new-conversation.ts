import type { ConversationId, CreateConversationRequest } from "@incipit/schema";
import { callTarget } from "../call/call-target.ts";
import { usableFolder } from "../call/usable-folder.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { assertEffort } from "../models/assert-effort.ts";
import type { StoredConversation } from "../store/stored.ts";
import { profileRules, rulesWithin, type ProfileRules } from "./profile-rules.ts";

interface NewConversation extends CreateConversationRequest {
  readonly id: ConversationId;
  readonly parent?: StoredConversation["parent"];
  readonly callerRules?: ProfileRules;
}

/**
 * Takes a snapshot of the profile's tools and settings.
 *
 * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, `MODEL_UNKNOWN`, and errors of `assertEffort`.
 */
export async function newConversation(
  context: OrchestratorContext,
  { id, parent = null, callerRules = {}, ...request }: NewConversation,
): Promise<StoredConversation> {
  const { cwd, model, profile, agent, found } = await callTarget(context, request);
  await usableFolder(context, cwd);
  await assertEffort(context, found, request.settings);
  const { allowed = null } = agent?.tools ?? {};
  const createdAt = new Date(context.clock.now()).toISOString();
  return {
    id,
    cwd,
    model,
    profile,
    title: request.title ?? null,
    forkedFrom: null,
    parent,
    importedAt: null,
    // Tasks are shown in the delegating conversation instead.
    archived: parent !== null,
    allowedTools: request.allowedTools ?? (allowed === null ? null : [...allowed]),
    ...rulesWithin(callerRules, profileRules(agent)),
    ...(request.settings === undefined ? {} : { settings: request.settings }),
    epoch: 1,
    createdAt,
    updatedAt: createdAt,
    lastSeq: 0,
    toolsSha256: null,
  };
}
