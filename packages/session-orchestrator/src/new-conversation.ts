import { ServiceError, type ConversationId, type CreateConversationRequest } from "@incipit/service-contract";
import { isAbsolute } from "node:path";
import type { OrchestratorContext } from "./context.ts";
import { findModel } from "./models.ts";
import type { StoredConversation } from "./stored.ts";

/** @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, `MODEL_UNKNOWN`. */
export function newConversation(
  { settings, clock, providers }: OrchestratorContext,
  { id, ...request }: CreateConversationRequest & { readonly id: ConversationId },
): StoredConversation {
  const profile =
    request.profile === undefined ? undefined : new Map(Object.entries(settings.profiles)).get(request.profile);
  if (request.profile !== undefined && profile === undefined) {
    const known =
      Object.keys(settings.profiles)
        .map((name) => `"${name}"`)
        .join(", ") || "none";
    throw new ServiceError(
      "PROFILE_UNKNOWN",
      `There is no profile "${request.profile}"; there are ${known}; add [profiles.${request.profile}] to the configuration`,
    );
  }
  const cwd = request.cwd ?? settings.defaultCwd;
  if (!isAbsolute(cwd))
    throw new ServiceError("CWD_INVALID", `Cannot use cwd "${cwd}": it is not absolute; write the whole path`);
  const model = request.model ?? profile?.model ?? settings.defaultModel;
  findModel(providers, model);
  const createdAt = new Date(clock.now()).toISOString();
  return {
    id,
    cwd,
    model,
    profile: request.profile ?? null,
    title: request.title ?? null,
    forkedFrom: null,
    archived: false,
    epoch: 1,
    createdAt,
    updatedAt: createdAt,
    lastSeq: 0,
    toolsSha256: null,
  };
}
