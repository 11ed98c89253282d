import type { StorageWrite } from "@incipit/kernel";
import type { ConversationId, CreateConversationRequest } from "@incipit/schema";
import { ServiceError, type CreateOptions, type ParentCall } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import { keys } from "../store/stored.ts";
import { indexWrites } from "./filter-index.ts";
import { newConversation } from "./new-conversation.ts";

/**
 * Stores the conversation and the caller's `task-start` event in one commit.
 *
 * @throws {ServiceError} as `newConversation`; `CONVERSATION_BUSY` when the call or its turn has ended.
 */
export async function newTask(
  context: OrchestratorContext,
  caller: LoadedConversation,
  {
    parent,
    request,
    join,
    signal,
  }: {
    readonly parent: ParentCall;
    readonly request: CreateConversationRequest & { readonly id: ConversationId };
    readonly join: CreateOptions["join"];
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { turnId, toolCallId } = parent;
  const { id: conversationId, parent: grandparent } = caller.record;
  const depth = (grandparent?.depth ?? 0) + 1;
  const record = await newConversation(context, {
    ...request,
    parent: { conversationId, turnId, toolCallId, depth },
    callerRules: caller.record,
  });
  if (caller.work.isClosed) throw conversationUnknown(conversationId);
  // No event of a turn may follow its end.
  if (caller.work.turnId !== turnId || signal?.aborted === true) {
    const message = `Cannot begin a task in turn "${turnId}" of conversation "${conversationId}": it has ended, or is being stopped`;
    throw new ServiceError("CONVERSATION_BUSY", message);
  }
  const writes: readonly StorageWrite[] = [
    { kind: "set", key: keys.conversation(record.id), value: record },
    ...indexWrites(record),
    { kind: "set", key: keys.task(conversationId, record.id), value: {} },
  ];
  const event = { type: "task-start", turnId, toolCallId, conversationId: record.id } as const;
  await caller.log.append([event], writes, join === undefined ? [] : [join(record.id)]);
}
