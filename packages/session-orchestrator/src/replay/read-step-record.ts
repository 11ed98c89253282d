import {
  stepRecordSchema,
  type ConversationId,
  type Explain,
  type StepRecord,
  type Step,
  type StepRequest,
  type ToolDefinition,
} from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { auditedStep } from "../audit/audited-step.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { leftOutToolsOf } from "../conversation/omitted-tools.ts";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";
import { readRequest } from "../records/wire-records.ts";
import { durationMs } from "./duration.ts";
import { readRecordedStep } from "./recorded-step.ts";
import { redactDeep } from "../records/redact-deep.ts";

/**
 * Redacted.
 *
 * @throws {ServiceError} `CONVERSATION_UNKNOWN`, `STEP_UNKNOWN`.
 */
export async function readStepRecord(
  context: OrchestratorContext,
  conversationId: ConversationId,
  stepId: string,
): Promise<StepRecord> {
  const { storage, redactor } = context;
  const conversation = await storage.get(keys.conversation(conversationId), storedConversationSchema);
  if (conversation === undefined) throw conversationUnknown(conversationId);
  const recorded = await readRecordedStep(context, conversationId, stepId);
  const { step, system, tools, deferredTools, messages, reply } = recorded;
  const { id, title, cwd, model, profile, epoch, createdAt } = conversation;
  const record = {
    conversation: { id, title, cwd, model, profile, epoch, createdAt },
    step,
    ...(await readRequestOf(context, conversationId, stepId)),
    systemTexts: system?.texts ?? null,
    tools: tools === null ? null : namedTools(context, step, tools),
    deferredTools,
    messages,
    reply,
    durationMs: durationMs(step),
    explain: await explainOf(context, conversationId, step.systemSha256),
    audit: auditedStep(step),
  };
  const counts = new Map<string, number>();
  // Drops `undefined` members and keeps the key order.
  const shown = redactDeep(redactor, z.json().parse(JSON.parse(JSON.stringify(record))), counts);
  const redactions = [...counts].map(([kind, count]) => ({ place: "record", kind, count }));
  return stepRecordSchema.parse({ ...z.record(z.string(), z.json()).parse(shown), redactions });
}

function namedTools(
  context: OrchestratorContext,
  { model }: Step,
  tools: readonly ToolDefinition[],
): readonly ToolDefinition[] {
  const leftOut = new Set(leftOutToolsOf(context, { model, tools }).map(({ name }) => name));
  return tools.filter(({ name }) => !leftOut.has(name));
}

/** A deleted, unrecorded or damaged request does not fail the rest of the record. */
async function readRequestOf(
  { storage }: OrchestratorContext,
  conversationId: ConversationId,
  stepId: string,
): Promise<Pick<StepRecord, "requestProblem"> & { readonly request: StepRequest | null }> {
  try {
    return { request: await readRequest(storage, conversationId, stepId), requestProblem: null };
  } catch (error) {
    if (!ServiceError.is(error)) throw error;
    return { request: null, requestProblem: { code: error.code, message: error.message } };
  }
}

async function explainOf(
  { systemPrompt }: OrchestratorContext,
  conversationId: ConversationId,
  systemSha256: string | null,
): Promise<Explain | null> {
  const explain = (await systemPrompt.current?.explain(conversationId)) ?? null;
  return explain?.sha256 === systemSha256 ? explain : null;
}
