import type { StorageBatch, StorageWrite } from "@incipit/kernel";
import type { ConversationId, ForkConversationRequest, Message } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { indexWrites } from "../conversations/filter-index.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown } from "../failures/service-errors.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { readHistory } from "../store/stored-message.ts";
import type { PreviousStep } from "../records/previous-step.ts";
import { keys, type ForkBase, type StoredConversation } from "../store/stored.ts";
import { readTurnEnds } from "../turn/turn-ends.ts";
import { readRequest } from "../records/wire-records.ts";

/**
 * Also copies prompt and tools, so that the first request shares the source's prefix.
 *
 * @throws {ServiceError} `MESSAGE_UNKNOWN`, `FORK_POINT_INVALID`.
 */
export async function forkConversation(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  request: ForkRequest,
): Promise<void> {
  for (;;) {
    await conversation.work.compacted();
    const { epoch } = conversation.record;
    const { writes, join } = await prepareFork(context, conversation, request);
    // After a concurrent compaction, messages and prompt may belong to different epochs.
    if (conversation.work.isCompacting || conversation.record.epoch !== epoch) continue;
    if (conversation.work.isClosed) throw conversationUnknown(conversation.record.id);
    await context.storage.atomic([], writes, { join });
    return;
  }
}

interface ForkRequest extends ForkConversationRequest {
  readonly id: ConversationId;
}

interface PreparedFork {
  readonly writes: readonly StorageWrite[];
  readonly join: readonly StorageBatch[];
}

async function prepareFork(
  { storage, clock, systemPrompt, conversationTexts }: OrchestratorContext,
  conversation: LoadedConversation,
  { id, ...request }: ForkRequest,
): Promise<PreparedFork> {
  const { record } = conversation;
  const { messages, firstIndex, epoch } = await messagesUntil(storage, conversation, request);
  const isCurrentEpoch = epoch === record.epoch;
  const createdAt = new Date(clock.now()).toISOString();
  const fork: StoredConversation = {
    ...record,
    id,
    title: request.title ?? record.title,
    archived: false,
    parent: null,
    forkedFrom: { conversationId: record.id, messageId: messages.at(-1)?.id ?? null },
    epoch: 1,
    toolsSha256: isCurrentEpoch ? record.toolsSha256 : null,
    createdAt,
    updatedAt: createdAt,
    lastSeq: 0,
  };
  // Prompt and tools of earlier epochs are not stored; the fork's first turn builds them, like a prompt that cannot
  // be copied.
  const isPromptStored = conversation.hasSteps && systemPrompt.current !== undefined;
  const base: ForkBase = isCurrentEpoch
    ? { hasSteps: isPromptStored, previousStep: await sentUntil(storage, conversation, messages.length) }
    : { hasSteps: false, previousStep: null };
  const prompt = isCurrentEpoch ? ((await systemPrompt.current?.copyPrompt(record.id, { to: id })) ?? null) : null;
  const texts = (await conversationTexts.current?.copy(record.id, { to: id })) ?? null;
  const messageWrites = messages.map(
    (message, index) => ({ kind: "set", key: keys.message(id, index), value: { ...message, epoch: 1 } }) as const,
  );
  const last = firstIndex + messages.length - 1;
  const ends = await readTurnEnds(storage, record.id, { first: firstIndex, last });
  const endWrites = [...ends].map(
    ([index, value]) => ({ kind: "set", key: keys.turnEnd(id, index - firstIndex), value }) as const,
  );
  return {
    writes: [
      { kind: "set", key: keys.conversation(id), value: fork },
      ...indexWrites(fork),
      { kind: "set", key: keys.forkBase(id), value: base },
      ...messageWrites,
      ...endWrites,
    ],
    join: [prompt, texts].filter((batch) => batch !== null),
  };
}

async function messagesUntil(
  storage: OrchestratorContext["storage"],
  { record, work }: LoadedConversation,
  { after, before }: ForkConversationRequest,
): Promise<{ readonly messages: readonly Message[]; readonly firstIndex: number; readonly epoch: number }> {
  const point = after ?? before;
  if (point === undefined) {
    const openTurn = work.turnId; // Read before the messages, which may include part of this turn.
    const { messages, firstIndex } = await readHistory(storage, record.id, record.epoch);
    // A summary within the running turn replaces all earlier messages.
    const isSummary = (index: number): boolean => index === 0 && record.epoch > 1;
    const open = messages.findIndex(({ turnId }, index) => turnId === openTurn && !isSummary(index));
    const kept = open === -1 ? messages : messages.slice(0, open);
    checkPoint(kept);
    return { messages: kept, firstIndex, epoch: record.epoch };
  }
  for (let { epoch } = record; epoch > 0; epoch -= 1) {
    const { messages, firstIndex } = await readHistory(storage, record.id, epoch);
    const index = messages.findIndex(({ id }) => id === point);
    if (index === -1) continue;
    const kept = messages.slice(0, after === undefined ? index : index + 1);
    checkPoint(kept);
    return { messages: kept, firstIndex, epoch };
  }
  const message = `No message in this conversation has the id "${point}"`;
  const next = { action: "list-messages", conversationId: record.id } as const;
  throw new ServiceError("MESSAGE_UNKNOWN", message, { next });
}

/** A call without its result would invalidate the next request. */
function checkPoint(messages: readonly Message[]): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || !last.parts.some(({ type }) => type === "tool-call")) return;
  const message = `Cannot fork behind message "${last.id}": it calls tools, and their results would be missing; fork before it, or behind the message with the results`;
  throw new ServiceError("FORK_POINT_INVALID", message);
}

async function sentUntil(
  storage: OrchestratorContext["storage"],
  { record, requests }: LoadedConversation,
  messageCount: number,
): Promise<ForkBase["previousStep"]> {
  const step = requests.previousStep;
  const [tools, system, ...messages] = step?.parts ?? [];
  // A compaction request shares no prefix with others.
  if (step === undefined || step.isCompaction || tools === undefined || system === undefined) return null;
  const { model, requestTierSha256, isBuilderAbsent } = step;
  return {
    tools,
    system,
    sentMessages: Math.min(messages.length, messageCount),
    messages: messages.slice(0, messageCount),
    model,
    url: step.url ?? (await urlOf(storage, record.id, step)),
    hasRequestTier: requestTierSha256 !== null,
    requestTierSha256,
    isBuilderAbsent,
  };
}

async function urlOf(
  storage: OrchestratorContext["storage"],
  conversationId: string,
  { stepId }: PreviousStep,
): Promise<string | null> {
  if (stepId === null) return null;
  try {
    const { url, redactions } = await readRequest(storage, conversationId, stepId);
    return redactions.some(({ place }) => place === "url") ? null : url;
  } catch {
    return null;
  }
}
