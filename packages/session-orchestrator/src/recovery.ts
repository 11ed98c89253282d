import type { StorageWrite } from "@incipit/kernel";
import {
  stepSchema,
  turnEventSchema,
  type Message,
  type MessagePart,
  type TurnId,
} from "@incipit/service-contract";
import type { OrchestratorContext } from "./context.ts";
import type { LoadedConversation } from "./conversation.ts";
import type { NewEvent } from "./event-log.ts";
import { newMessageId } from "./ids.ts";
import { keys } from "./stored.ts";
import { errorResult } from "./tool-calls.ts";

/**
 * Writes the end that a crash kept from a turn: what was shown of an unfinished reply becomes a message, each tool call
 * without a result gets one that says so, the step ends with an error, and the turn as `interrupted`.
 */
export async function endInterruptedTurn(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  turnId: TurnId,
): Promise<void> {
  const { id } = conversation.record;
  const createdAt = new Date(context.clock.now()).toISOString();
  const message = (role: Message["role"], parts: readonly MessagePart[]): Message => ({
    id: newMessageId(context.clock.now()),
    role,
    parts: [...parts],
    turnId,
    epoch: conversation.record.epoch,
    createdAt,
  });
  const events: NewEvent[] = [];
  const found = missingResults(conversation, "The host was stopped before the tool had ended");
  const shown = await shownText(context, conversation, turnId);
  let recovered: Message | undefined;
  if (found.length > 0) recovered = message("tool", found);
  else if (shown !== "") {
    recovered = message("assistant", [{ type: "text", text: shown }]);
    events.push({ type: "message-end", turnId, messageId: recovered.id });
  }
  const writes: StorageWrite[] = [
    { kind: "delete", key: keys.active(turnId) },
    ...(await openSteps(context, id, turnId, createdAt)),
  ];
  if (recovered !== undefined) writes.push(conversation.messageWrite(recovered));
  await conversation.log.append([...events, { type: "turn-end", turnId, status: "interrupted" }], writes);
  if (recovered !== undefined) conversation.remember(recovered);
}

/** A result with `message` for each call of the newest message. */
export function missingResults(conversation: LoadedConversation, message: string): readonly MessagePart[] {
  const last = conversation.history.at(-1);
  if (last?.role !== "assistant") return [];
  return last.parts.flatMap((part) => (part.type === "tool-call" ? [errorResult(part, message)] : []));
}

/** Text of the turn's last reply, when it was cut off before it became a message. */
async function shownText(
  { storage }: OrchestratorContext,
  conversation: LoadedConversation,
  turnId: TurnId,
): Promise<string> {
  const pieces: string[] = [];
  const prefix = keys.events(conversation.record.id);
  let end = `${prefix}~`;
  for (;;) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: 1_000 }, turnEventSchema);
    for (const { value } of page) {
      if (value.turnId === turnId && value.type === "text-delta") pieces.push(value.text);
      if (value.type === "step-start" || value.type === "message-end" || value.type === "turn-start")
        return pieces.toReversed().join("");
    }
    const oldest = page.at(-1);
    if (oldest === undefined) return pieces.toReversed().join("");
    end = oldest.key;
  }
}

async function openSteps(
  { storage }: OrchestratorContext,
  id: string,
  turnId: TurnId,
  endedAt: string,
): Promise<readonly StorageWrite[]> {
  const newest = await storage.list({ prefix: keys.steps(id), reverse: true, limit: 5 }, stepSchema);
  return newest
    .filter(({ value }) => value.turnId === turnId && value.endedAt === null)
    .map(({ key, value }) => ({
      kind: "set",
      key,
      value: {
        ...value,
        endedAt,
        error: { code: "INTERRUPTED", message: "The host was stopped during this call" },
      },
    }));
}
