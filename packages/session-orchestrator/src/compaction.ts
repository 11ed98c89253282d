import {
  ServiceError,
  type Conversation,
  type Message,
  type ModelMessage,
  type PreparedPrompt,
} from "@incipit/service-contract";
import { COMPACTION_SYSTEM_PROMPT, compactionRequest, summaryOpening } from "./compaction-prompt.ts";
import type { OrchestratorContext } from "./context.ts";
import type { LoadedConversation } from "./conversation.ts";
import { toFailure } from "./failure.ts";
import { newMessageId } from "./ids.ts";
import { findModel } from "./models.ts";
import { StepRunner } from "./step.ts";
import { keys } from "./stored.ts";

export interface Compacted {
  readonly conversation: Conversation;
  readonly summary: Message;
}

/**
 * Replaces the history by the model's summary of it, and the prompt by a fresh one: both, or neither. The call itself stays
 * on record either way.
 * @throws {ServiceError} `NOTHING_TO_COMPACT`, `MODEL_FAILED`, `STORAGE_FAILED`.
 */
export async function compact(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  signal: AbortSignal,
): Promise<Compacted> {
  if (conversation.history.length < 2) {
    throw new ServiceError(
      "NOTHING_TO_COMPACT",
      `Conversation "${conversation.record.id}" is too short to be compacted; go on with it`,
    );
  }
  await context.start.wait(signal);
  const { record } = conversation;
  const turnId = conversation.ids.nextTurnId();
  const found = findModel(context.providers, record.model);
  const service = context.systemPrompt.current;
  const prepared = await service?.prepare(record.id, record.cwd, {
    model: record.model,
    reason: "compaction",
    signal,
    ...(record.profile === null ? {} : { profile: record.profile }),
  });
  const request: ModelMessage = { role: "user", parts: [{ type: "text", text: compactionRequest }] };
  const { step, parts, failure, finishReason } = await new StepRunner(context, conversation, {
    turnId,
    purpose: "compaction",
    found,
    model: record.model,
    systemPrompt: [compactionText(prepared)],
    messages: [...conversation.history, request],
    tools: [],
    audit: {
      hasRequestTier: false,
      wasPromptConstructed: prepared !== undefined,
      isBuilderAbsent: service === undefined,
    },
    signal,
  }).run();
  const stepWrite = { kind: "set", key: keys.step(record.id, step.id), value: step } as const;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const reason = reasonAgainst(failure, text, finishReason);
  if (reason !== undefined) {
    await conversation.log.append([], [stepWrite]);
    throw new ServiceError("MODEL_FAILED", `Cannot compact the conversation: ${reason}; nothing was changed`, {
      cause: failure,
    });
  }
  const epoch = record.epoch + 1;
  const createdAt = new Date(context.clock.now()).toISOString();
  const summary: Message = {
    id: newMessageId(context.clock.now()),
    role: "user",
    parts: [{ type: "text", text: `${summaryOpening}\n\n${text}` }],
    turnId,
    epoch,
    createdAt,
  };
  const join = prepared === undefined ? [] : [prepared.batch];
  await conversation.changeRecord(
    (current) => ({ ...current, epoch, updatedAt: createdAt, toolsSha256: null }),
    (write) => conversation.log.append([], [stepWrite, conversation.messageWrite(summary), write], join),
  );
  conversation.history = [];
  conversation.remember(summary);
  return { conversation: conversation.view, summary };
}

function compactionText(prepared: PreparedPrompt | undefined): string {
  return prepared === undefined || prepared.text === ""
    ? COMPACTION_SYSTEM_PROMPT
    : `${prepared.text}\n\n${COMPACTION_SYSTEM_PROMPT}`;
}

/** Only a summary that is whole may take the place of the history. */
function reasonAgainst(failure: unknown, text: string, finishReason: string | undefined): string | undefined {
  if (failure !== undefined) return toFailure(failure).message;
  if (text.trim() === "") return "the model's summary is empty";
  return finishReason === "stop"
    ? undefined
    : `the model's summary is not whole (it ended with "${finishReason ?? "nothing"}")`;
}
