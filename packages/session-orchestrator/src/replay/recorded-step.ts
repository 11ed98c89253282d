import { sha256Hex } from "@incipit/common";
import {
  stepSchema,
  type ConversationId,
  type DeferredServer,
  type Message,
  type Redaction,
  type Step,
  type ToolDefinition,
} from "@incipit/schema";
import type { Storage } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { readHistory } from "../store/stored-message.ts";
import { anyWireSchema, keys, recordedSystemSchema, type RecordedFacts } from "../store/stored.ts";
import { readToolList } from "../store/tool-list.ts";
import { skipInvalid } from "../store/read-page.ts";

export interface RecordedStep {
  readonly step: Step;
  readonly told: RecordedFacts | null;
  readonly system: { readonly texts: readonly string[]; readonly redactions: readonly Redaction[] } | null;
  readonly tools: readonly ToolDefinition[] | null;
  readonly deferredTools: readonly DeferredServer[];
  readonly messages: readonly Message[] | null;
  readonly reply: Message | null;
}

/** @throws {ServiceError} `STEP_UNKNOWN`. */
export async function readRecordedStep(
  context: OrchestratorContext,
  conversationId: ConversationId,
  stepId: string,
): Promise<RecordedStep> {
  const { storage } = context;
  const step = await storage.get(keys.step(conversationId, stepId), stepSchema);
  if (step === undefined) {
    const next = { action: "list-steps", conversationId } as const;
    throw new ServiceError("STEP_UNKNOWN", `No step has the id "${stepId}"`, { next });
  }
  const wire = await storage.get(keys.wire(conversationId, stepId), anyWireSchema);
  const told = wire === undefined || "deletedAt" in wire ? null : wire.told;
  const { messages } = await readHistory(storage, conversationId, step.epoch);
  const count = told?.messageCount ?? sentCount(step);
  return {
    step,
    told,
    system: await readSystem(context, conversationId, step),
    ...(await readTools(context, told)),
    messages: count === null ? null : messages.slice(0, count),
    reply: await readReply(context, { conversationId, step, behind: count === null ? [] : messages.slice(count) }),
  };
}

function sentCount({ parts, purpose }: Step): number | null {
  const last = parts.at(-1)?.part ?? "";
  if (!last.startsWith("message:")) return null;
  const count = Number(last.slice("message:".length)) + 1;
  return purpose === "compaction" ? count - 1 : count;
}

/** Prefers the stored prompt, which is not redacted, to the recorded copy. */
async function readSystem(
  { storage, systemPrompt }: OrchestratorContext,
  conversationId: ConversationId,
  { id, systemSha256 }: Step,
): Promise<RecordedStep["system"]> {
  if (systemSha256 === null) return { texts: [], redactions: [] };
  const kept = (await systemPrompt.current?.get(conversationId)) ?? "";
  if (sha256Hex(kept) === systemSha256) return { texts: [kept], redactions: [] };
  const range = { start: keys.recordedSystems(conversationId), end: `${keys.recordedSystem(conversationId, id)} ` };
  const newest = { ...range, reverse: true, limit: 1, onInvalid: () => undefined };
  const stored = (await storage.list(newest, recordedSystemSchema))[0]?.value;
  if (stored === undefined) return null;
  const { texts, redactions } = stored;
  // The hash of a redacted copy cannot be verified; it belongs to the step as long as the request exists.
  return redactions.length > 0 || sha256Hex(texts.join("\n\n")) === systemSha256 ? { texts, redactions } : null;
}

async function readTools(
  { storage }: OrchestratorContext,
  told: RecordedFacts | null,
): Promise<Pick<RecordedStep, "tools" | "deferredTools">> {
  if (told === null) return { tools: null, deferredTools: [] };
  if (told.toolsSha256 === null) return { tools: [], deferredTools: [] };
  const list = await readToolList(storage, told.toolsSha256);
  return { tools: list?.tools ?? null, deferredTools: list?.deferred?.servers ?? [] };
}

/** The message after those sent, if it belongs to the step's turn; for a compaction, the summary of the next epoch. */
async function readReply(
  { storage }: OrchestratorContext,
  {
    conversationId,
    step,
    behind,
  }: { readonly conversationId: ConversationId; readonly step: Step; readonly behind: readonly Message[] },
): Promise<Message | null> {
  if (step.purpose === "turn") {
    const [first] = behind;
    if (first?.role !== "assistant" || first.turnId !== step.turnId) return null;
    return withOwnCalls(first, (await isLastOfTurn(storage, conversationId, step)) ? behind : []);
  }
  const { messages } = await readHistory(storage, conversationId, step.epoch + 1);
  const [summary] = messages;
  return summary?.turnId === step.turnId && step.error === null ? summary : null;
}

/** A reply is split at calls that its provider ran. */
function withOwnCalls(first: Message, behind: readonly Message[]): Message {
  const other = behind.findIndex(({ turnId }) => turnId !== first.turnId);
  const said = other === -1 ? behind : behind.slice(0, other);
  if (!said.slice(1).some(({ role }) => role === "assistant")) return first;
  return { ...first, parts: said.flatMap(({ parts }) => parts) };
}

async function isLastOfTurn(storage: Storage, conversationId: ConversationId, step: Step): Promise<boolean> {
  const range = {
    start: `${keys.step(conversationId, step.id)} `,
    end: `${keys.steps(conversationId)}~`,
    limit: 1,
  };
  const [next] = await storage.list({ ...range, ...skipInvalid }, stepSchema);
  return next?.value.turnId !== step.turnId;
}

/** Returns the duration of a step; 0 if the clock moved backwards. */
export function durationMs({ startedAt, endedAt }: Pick<Step, "startedAt" | "endedAt">): number | null {
  return endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
