import type { Storage, StorageWrite } from "@incipit/kernel";
import { indexDeletes, indexWrites } from "./filter-index.ts";
import { messageSchema, type Conversation, type UpdateConversationRequest } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { callTarget } from "../call/call-target.ts";
import { givenTexts } from "../prompt/given-texts.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { inputText } from "../call/input-text.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { keys, type StoredConversation } from "../store/stored.ts";
import { titleOf } from "../conversation/title-of.ts";

/**
 * @throws {ServiceError} `STORAGE_FAILED`, `MODEL_UNKNOWN`, `PROFILE_UNKNOWN`, and what `givenTexts` throws; nothing has
 *   changed then.
 */
export async function updateConversation(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { title, archived, allowedTools, ...request }: UpdateConversationRequest,
): Promise<Conversation> {
  const { storage, clock } = context;
  const { id } = conversation.record;
  const target = newTarget(context, conversation.record, request);
  const texts = await givenTexts(context, id, request);
  return inServiceWords(async () => {
    const given = title === null ? await ownTitle(storage, id) : title;
    const updatedAt = new Date(clock.now()).toISOString();
    let moves: readonly StorageWrite[] = [];
    await conversation.changeRecord(
      (record) => {
        const changed = {
          ...record,
          ...(given === undefined ? {} : { title: given }),
          ...(archived === undefined ? {} : { archived }),
          ...(allowedTools === undefined ? {} : { allowedTools }),
          ...target,
          updatedAt,
        };
        const isMoved = changed.archived !== record.archived || changed.model !== record.model;
        moves = isMoved ? [...indexDeletes(record), ...indexWrites(changed)] : [];
        return changed;
      },
      (write) => conversation.log.append([], [write, ...moves], texts),
    );
    return conversation.view;
  });
}

/** The model and the profile that it has from here on, where the request names one. */
function newTarget(
  context: OrchestratorContext,
  record: StoredConversation,
  { model, profile }: UpdateConversationRequest,
): Partial<Pick<StoredConversation, "model" | "profile">> {
  if (model === undefined && profile === undefined) return {};
  const hasOwnModel = context.defaults.profiles.find(({ name }) => name === profile)?.model !== undefined;
  const named = model ?? (hasOwnModel ? undefined : record.model);
  const asked = profile === null ? {} : { profile };
  const target = callTarget(context, { cwd: record.cwd, model: named, ...asked });
  return {
    ...(model !== undefined || hasOwnModel ? { model: target.model } : {}),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** What its first message says of itself; one that is damaged says nothing. */
async function ownTitle(storage: Storage, id: string): Promise<string | null> {
  const range = { prefix: keys.message(id, 0), onInvalid: () => {} };
  const [first] = await storage.list(range, messageSchema);
  const parts = first?.value.parts ?? [];
  return titleOf(inputText(parts.filter((part) => part.type === "text" || part.type === "file")));
}
