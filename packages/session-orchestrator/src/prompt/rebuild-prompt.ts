import { ServiceError, type RebuildOutcome, type RebuildPromptRequest } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/context.ts";
import type { LoadedConversation } from "../conversation/conversation.ts";
import { need } from "../failures/need.ts";

/**
 * Constructs the prompt of a conversation anew, and stores it together with the event that shows it: both, or neither. The
 * history stays as it is. A text that is the same as before is not stored: nothing has changed then.
 * @throws {ServiceError} `SERVICE_UNAVAILABLE`, `PROMPT_NOT_CONSTRUCTED`, `STORAGE_FAILED`.
 */
export async function rebuildPrompt(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { by, note, signal }: RebuildPromptRequest & { readonly signal: AbortSignal },
): Promise<RebuildOutcome> {
  await context.start.wait(signal); // What extensions add is part of it.
  const builder = need(context.systemPrompt, "prompt builder");
  const { id, cwd, model, profile } = conversation.record;
  const kept = await builder.describe(id);
  if (kept.systemPrompt === null && !conversation.hasSteps) {
    const message = `Cannot rebuild the prompt of conversation "${id}": it has none yet; its first turn constructs it`;
    throw new ServiceError("PROMPT_NOT_CONSTRUCTED", message);
  }
  const reason = "rebuild";
  const { sha256, sizeBytes, batch } = await builder.prepare(id, cwd, {
    model,
    reason,
    signal,
    ...(profile === null ? {} : { profile }),
    ...(by === undefined ? {} : { by }),
    ...(note === undefined ? {} : { note }),
  });
  if (kept.systemPrompt !== null && sha256 === kept.sha256) return "nothing-changed";
  const turnId = conversation.ids.nextTurnId();
  const updatedAt = new Date(context.clock.now()).toISOString();
  await conversation.changeRecord(
    (record) => ({ ...record, updatedAt }),
    (write) =>
      conversation.log.append([{ type: "prompt-resolve", turnId, sha256, sizeBytes, reason }], [write], [batch]),
  );
  return "rebuilt";
}
