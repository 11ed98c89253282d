import type { StorageBatch } from "@incipit/kernel";
import type { ConversationId, CreateConversationRequest, UpdateConversationRequest } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { required } from "../failures/required.ts";

/**
 * Empty without system messages in the request.
 *
 * @throws {ServiceError} `SERVICE_UNAVAILABLE`, `TEMPLATE_TOO_LARGE`.
 */
export async function systemMessageWrites(
  { conversationTexts }: OrchestratorContext,
  id: ConversationId,
  {
    system,
    systemMode: mode = "replace",
  }: Pick<CreateConversationRequest | UpdateConversationRequest, "system" | "systemMode">,
): Promise<readonly StorageBatch[]> {
  if (system === undefined) return [];
  const texts = required(conversationTexts, "prompt builder that keeps texts of a conversation");
  const tier = system === null ? null : { system: typeof system === "string" ? [system] : system, mode };
  return [await texts.give(id, tier)];
}
