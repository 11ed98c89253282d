import type { StorageWrite } from "@incipit/kernel";
import {
  stepSchema,
  turnEventSchema,
  type Failure,
  type Message,
  type MessagePart,
  type QuestionId,
  type Step,
  type StepId,
  type TurnEvent,
  type TurnId,
  type UnaskedCall,
} from "@incipit/schema";
import { StepSum } from "../audit/step-sum.ts";
import { endWrite } from "../tools/approvals.ts";
import { questionEndWrite } from "../tools/questions.ts";
import { turnEndWrites } from "./turn-ends.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { NewEvent } from "../events/event-log.ts";
import { cutCode, Reply, messagesOf, ToolCallIds } from "../call/reply.ts";
import { skipInvalid } from "../store/read-page.ts";
import { keys } from "../store/stored.ts";
import { errorResult, type ToolCall, type ToolResult } from "../tools/run-tool-call.ts";

const stopped: Failure = { code: "INTERRUPTED", message: "The host was stopped during this call" };
const cutOff = "The host was stopped before the tool had ended";
/** Files are stored with their message, which was not. */
const lostFiles = "[the files of this result are lost: the host was stopped before they were stored]";
const unstored = "What the tool answered could not be stored";
const cutOffUnapproved = "The host was stopped before it was known whether the tool may run: it was not run";

type CutOffEnd = { readonly status: "interrupted" } | { readonly status: "failed"; readonly error: Failure };

/**
 * The shown part of an unfinished reply becomes a message, each tool call without a result gets an error result, and
 * the step ends with an error.
 */
export async function finishInterruptedTurn(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  turnId: TurnId,
  end: CutOffEnd = { status: "interrupted" },
): Promise<void> {
  const { id } = conversation.record;
  const createdAt = new Date(context.clock.now()).toISOString();
  const message = (role: Message["role"], parts: readonly MessagePart[]): Message =>
    conversation.newMessage({ role, parts: [...parts], turnId });
  const events: NewEvent[] = [];
  const since = await sinceLastMessage(context, conversation, turnId);
  const shown = partsShown(since, conversation.history);
  const unanswered = openApprovals(since);
  const reasonOf = ({ toolCallId }: { readonly toolCallId: string }): string =>
    unanswered.some((request) => request.toolCallId === toolCallId)
      ? cutOffUnapproved
      : end.status === "failed"
        ? unstored
        : cutOff;
  const found = missingResults(conversation, reasonOf).map((result) => resultShown(result, since) ?? result);
  const steps = await stepsOf(context, id, turnId);
  const denied = { decision: "deny", reason: "interrupted" } as const;
  const asked = openQuestions(since);
  const cancelled = { action: "cancel", reason: "interrupted" } as const;
  for (const questionId of asked) events.push({ type: "question-end", turnId, questionId, ...cancelled });
  for (const { approvalId } of unanswered) events.push({ type: "approval-end", turnId, approvalId, ...denied });
  if (since.findLast(({ type }) => type.startsWith("compaction-"))?.type === "compaction-start")
    events.push({ type: "compaction-end", turnId, status: "interrupted" });
  events.push(...missingEnds(conversation, since, { turnId, stepId: steps[0]?.value.id, reasonOf }));
  events.push(...openEnds(since));
  const autoApprovedCalls = unaskedShown(since);
  const unasked = autoApprovedCalls.length === 0 ? {} : { unaskedCalls: autoApprovedCalls };
  const recovered =
    found.length > 0
      ? [{ ...message("tool", found), ...unasked, ...previewsShown(since) }]
      : messagesOf(shown).map(({ role, parts }) => message(role, parts));
  for (const { id: messageId, role } of recovered)
    if (role === "assistant") events.push({ type: "message-end", turnId, messageId });
  const writes: StorageWrite[] = [
    { kind: "delete", key: keys.active(turnId) },
    ...unanswered.map(({ approvalId }) => endWrite(id, approvalId, denied)),
    ...asked.map((questionId) => questionEndWrite(id, questionId, cancelled)),
    ...(await endsOfSteps(context, id, steps, {
      endedAt: createdAt,
      error: end.status === "failed" ? end.error : stopped,
    })),
  ];
  writes.push(
    ...turnEndWrites(conversation, end, recovered.length),
    ...recovered.map((shownAgain, ahead) => conversation.messageWrite(shownAgain, ahead)),
  );
  await conversation.changeRecord(
    (record) => ({ ...record, updatedAt: createdAt }),
    (write) => conversation.log.append([...events, { type: "turn-end", turnId, ...end }], [...writes, write]),
  );
  for (const shownAgain of recovered) conversation.remember(shownAgain);
}

function partsShown(since: readonly TurnEvent[], history: LoadedConversation["history"]): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  let text = "";
  const flush = (): void => {
    if (text.trim() !== "") parts.push({ type: "text", text });
    text = "";
  };
  const before = new Set(history.flatMap(({ parts }) => parts.flatMap((part) => callId(part) ?? [])));
  const summed = since.findLastIndex(({ type }) => type === "compaction-end");
  for (const [index, event] of since.entries()) {
    if (event.type === "text-delta") text += event.text;
    if (event.type !== "tool-call-end" || event.error?.code === cutCode) continue;
    // The host's own calls are stored before they run.
    if (index < summed || before.has(event.toolCallId)) continue;
    flush();
    const { toolCallId, name, input, output, error } = event;
    parts.push(
      { type: "tool-call", toolCallId, name, input },
      {
        type: "tool-result",
        toolCallId,
        name,
        output: output ?? error?.message ?? "",
        isError: error !== undefined,
      },
    );
  }
  flush();
  return parts;
}

function callId(part: MessagePart): string | undefined {
  return part.type === "tool-call" ? part.toolCallId : undefined;
}

export async function endInterruptedCompaction(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  turnId: TurnId,
): Promise<void> {
  const endedAt = new Date(context.clock.now()).toISOString();
  const steps = await stepsOf(context, conversation.record.id, turnId);
  await conversation.log.append(
    [{ type: "compaction-end", turnId, status: "interrupted" }],
    [
      { kind: "delete", key: keys.active(turnId) },
      ...(await endsOfSteps(context, conversation.record.id, steps, { endedAt, error: stopped })),
    ],
  );
}

function missingResults(
  conversation: LoadedConversation,
  reasonOf: (call: ToolCall) => string,
): readonly ToolResult[] {
  const last = conversation.history.at(-1);
  if (last?.role !== "assistant") return [];
  return last.parts.flatMap((part) => (part.type === "tool-call" ? [errorResult(part, reasonOf(part))] : []));
}

function openEnds(since: readonly TurnEvent[]): readonly NewEvent[] {
  const ended = new Set(since.flatMap((event) => (event.type === "tool-call-end" ? [event.toolCallId] : [])));
  const said = since.flatMap((event) => {
    const isOpen = event.type === "tool-call-start" && !ended.has(event.toolCallId);
    return "partId" in event || isOpen ? [event] : [];
  });
  const [first] = said;
  if (first === undefined) return [];
  const { turnId, stepId } = first;
  const callIds = new ToolCallIds([], []); // The shown calls already have unique ids.
  const reply = new Reply({ turnId, stepId, model: "", callIds });
  for (const event of said) reply.take(event);
  return reply.close({ hasFailed: true });
}

function resultShown(result: ToolResult, since: readonly TurnEvent[]): ToolResult | undefined {
  for (const event of since) {
    if (event.type !== "tool-call-end" || event.toolCallId !== result.toolCallId) continue;
    const { output, error, fileCount } = event;
    const shown = output ?? error?.message ?? "";
    const lost = fileCount === undefined ? "" : `\n${lostFiles}`;
    return { ...result, output: `${shown}${lost}`, isError: error !== undefined };
  }
  return undefined;
}

function unaskedShown(since: readonly TurnEvent[]): UnaskedCall[] {
  return since.flatMap((event) => {
    if (event.type !== "tool-call-end" || event.allowedBy === undefined) return [];
    const { toolCallId, name, allowedBy } = event;
    return [{ toolCallId, name, allowedBy }];
  });
}

function previewsShown(since: readonly TurnEvent[]): Pick<Message, "previews"> {
  const asked = new Map(
    since.flatMap((event) =>
      event.type === "approval-request" && event.preview !== undefined ? [[event.toolCallId, event.preview]] : [],
    ),
  );
  const previews = since.flatMap((event) => {
    const preview =
      event.type === "tool-call-end" && event.error === undefined ? asked.get(event.toolCallId) : undefined;
    return event.type !== "tool-call-end" || preview === undefined
      ? []
      : [{ toolCallId: event.toolCallId, preview }];
  });
  return previews.length === 0 ? {} : { previews };
}

function missingEnds(
  conversation: LoadedConversation,
  since: readonly TurnEvent[],
  {
    turnId,
    stepId,
    reasonOf,
  }: {
    readonly turnId: TurnId;
    readonly stepId: StepId | undefined;
    readonly reasonOf: (call: ToolCall) => string;
  },
): readonly NewEvent[] {
  const last = conversation.history.at(-1);
  if (stepId === undefined || last?.role !== "assistant") return [];
  return last.parts.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    const { toolCallId, name, input } = part;
    if (since.some((event) => event.type === "tool-call-end" && event.toolCallId === toolCallId)) return [];
    const error = { code: "INTERRUPTED", message: reasonOf(part) };
    return [{ type: "tool-call-end", turnId, stepId, toolCallId, name, input, error } as const];
  });
}

type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;

function openApprovals(since: readonly TurnEvent[]): readonly ApprovalRequest[] {
  const ended = new Set(since.flatMap((event) => (event.type === "approval-end" ? [event.approvalId] : [])));
  return since
    .filter((event) => event.type === "approval-request")
    .filter(({ approvalId }) => !ended.has(approvalId));
}

function openQuestions(since: readonly TurnEvent[]): readonly QuestionId[] {
  const ended = new Set(since.flatMap((event) => (event.type === "question-end" ? [event.questionId] : [])));
  const asked = since.flatMap((event) => (event.type === "question-request" ? [event.questionId] : []));
  return asked.filter((questionId) => !ended.has(questionId));
}

/** After the turn's last message or last failed model call, oldest first. */
async function sinceLastMessage(
  { storage }: OrchestratorContext,
  conversation: LoadedConversation,
  turnId: TurnId,
): Promise<readonly TurnEvent[]> {
  const found: TurnEvent[] = [];
  const prefix = keys.events(conversation.record.id);
  let end = `${prefix}~`;
  for (;;) {
    const page = await storage.list(
      { start: prefix, end, reverse: true, limit: 1_000, ...skipInvalid },
      turnEventSchema,
    );
    for (const { value } of page) {
      if (value.type === "step-start" || value.type === "message-end" || value.type === "turn-start")
        return found.toReversed();
      if (value.turnId === turnId) found.push(value);
    }
    const oldest = page.at(-1);
    if (oldest === undefined) return found.toReversed();
    end = oldest.key;
  }
}

/** Newest first; only the newest can be open. */
async function stepsOf(
  { storage }: OrchestratorContext,
  id: string,
  turnId: TurnId,
): Promise<readonly { readonly key: string; readonly value: Step }[]> {
  const newest = await storage.list(
    { prefix: keys.steps(id), reverse: true, limit: 5, ...skipInvalid },
    stepSchema,
  );
  return newest.filter(({ value }) => value.turnId === turnId);
}

/** Steps are sequential, so at most one is open. */
async function endsOfSteps(
  { storage }: OrchestratorContext,
  id: string,
  steps: readonly { readonly key: string; readonly value: Step }[],
  end: { readonly endedAt: string; readonly error: Failure },
): Promise<readonly StorageWrite[]> {
  const open = steps.find(({ value }) => value.endedAt === null);
  if (open === undefined) return [];
  const step = { ...open.value, ...end };
  return [{ kind: "set", key: open.key, value: step }, ...(await new StepSum(storage, id).writesWith(step))];
}
