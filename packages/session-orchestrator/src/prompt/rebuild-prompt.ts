import type { RebuildOutcome, RebuildPromptRequest } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { required, unavailable } from "../failures/required.ts";
import { prepareNewPrompt, storeNewPrompt } from "./new-prompt.ts";

const builderName = "prompt builder";

/**
 * Stores the prompt with its event in one transaction, unless the text is equal; the history is unchanged.
 *
 * @throws {ServiceError} `SERVICE_UNAVAILABLE`, `PROMPT_NOT_CONSTRUCTED`, `STORAGE_FAILED`.
 */
export async function rebuildPrompt(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { by, note, signal }: RebuildPromptRequest & { readonly signal: AbortSignal },
): Promise<RebuildOutcome> {
  await context.start.wait(signal); // The prompt depends on extensions.
  const builder = required(context.systemPrompt, builderName);
  const { id, model } = conversation.record;
  const kept = await builder.describe(id);
  if (kept.systemPrompt === null && !conversation.hasSteps) {
    const message = `Cannot rebuild the prompt of conversation "${id}": it has no prompt yet; its first turn builds it`;
    throw new ServiceError("PROMPT_NOT_CONSTRUCTED", message);
  }
  const reason = "rebuild";
  const prepared = await prepareNewPrompt(context, conversation, { model, reason, by, note, signal });
  if (prepared === undefined) throw unavailable(builderName);
  if (kept.systemPrompt !== null && prepared.sha256 === kept.sha256) return "nothing-changed";
  const turnId = conversation.ids.nextTurnId();
  const updatedAt = new Date(context.clock.now()).toISOString();
  await conversation.changeRecord(
    (record) => ({ ...record, updatedAt }),
    (write) => storeNewPrompt(conversation, prepared, { turnId, reason, writes: [write] }),
  );
  return "rebuilt";
}
