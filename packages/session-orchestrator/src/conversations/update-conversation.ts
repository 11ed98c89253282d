import type { Storage } from "@incipit/kernel";
import { indexMoves } from "./filter-index.ts";
import { messageSchema, type Conversation, type UpdateConversationRequest } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { inputText } from "../call/input-text.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { keys } from "../store/stored.ts";
import { titleOf } from "../conversation/title-of.ts";

/** @throws {ServiceError} `STORAGE_FAILED`; nothing has changed then. */
export async function updateConversation(
  { storage, clock }: OrchestratorContext,
  conversation: LoadedConversation,
  { title, archived, allowedTools }: UpdateConversationRequest,
): Promise<Conversation> {
  const { id, model } = conversation.record;
  return inServiceWords(async () => {
    const given = title === null ? await ownTitle(storage, id) : title;
    const updatedAt = new Date(clock.now()).toISOString();
    await conversation.changeRecord(
      (record) => ({
        ...record,
        ...(given === undefined ? {} : { title: given }),
        ...(archived === undefined ? {} : { archived }),
        ...(allowedTools === undefined ? {} : { allowedTools }),
        updatedAt,
      }),
      (write) =>
        conversation.log.append(
          [],
          [write, ...(archived === undefined ? [] : indexMoves({ id, model, archived }))],
        ),
    );
    return conversation.view;
  });
}

/** What its first message says of itself; one that is damaged says nothing. */
async function ownTitle(storage: Storage, id: string): Promise<string | null> {
  const range = { prefix: keys.message(id, 0), onInvalid: () => {} };
  const [first] = await storage.list(range, messageSchema);
  const parts = first?.value.parts ?? [];
  return titleOf(inputText(parts.filter((part) => part.type === "text" || part.type === "file")));
}
