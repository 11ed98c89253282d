import {
  conversationIdSchema,
  replayIdSchema,
  stepIdSchema,
  type ConversationId,
  type Replay,
  type StepId,
  type StepRecord,
  stepRecordSchema,
  type Explain,
  type Step,
  type StepRequest,
  type ToolDefinition,
} from "@incipit/schema";
import { ServiceError, type StepRecordsService } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown, withServiceErrors } from "../failures/service-errors.ts";
import type { ModelCalls } from "../stateless/model-calls.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";
import { listReplays, replayStep } from "./replay-step.ts";
import { auditedStep } from "../audit/step-sum.ts";
import { leftOutToolsOf } from "../conversation/epoch-tools.ts";
import { readRequest, redactDeep } from "../records/wire-records.ts";
import { durationMs, readRecordedStep } from "./recorded-step.ts";
import * as z from "zod";

const ageSchema = z.object({ conversationId: conversationIdSchema });

export class StepRecords implements StepRecordsService {
  readonly #context: OrchestratorContext;
  readonly #calls: ModelCalls;

  constructor(context: OrchestratorContext, calls: ModelCalls) {
    this.#context = context;
    this.#calls = calls;
  }

  async find(stepId: string): Promise<{ readonly conversationId: ConversationId; readonly stepId: StepId }> {
    const id = stepIdSchema.safeParse(stepId).data;
    const age = await withServiceErrors(() => this.#context.storage.get(keys.recordAge(stepId), z.unknown()));
    const place = ageSchema.safeParse(age).data;
    if (id !== undefined && place !== undefined) return { conversationId: place.conversationId, stepId: id };
    const message = `No request of a step "${stepId}" is on record`;
    throw new ServiceError("STEP_UNKNOWN", message, { next: { action: "list-steps", conversationId: null } });
  }

  async get(conversationId: ConversationId, stepId: string): Promise<StepRecord> {
    return withServiceErrors(() => readStepRecord(this.#context, conversationId, stepId));
  }

  async replay(
    conversationId: ConversationId,
    stepId: string,
    { model, signal }: { readonly model: string; readonly signal: AbortSignal },
  ): Promise<Replay> {
    const id = replayIdSchema.parse(Bun.randomUUIDv7("hex", this.#context.clock.now()));
    const options = { id, conversationId, stepId, model, signal };
    return withServiceErrors(() => replayStep(this.#context, this.#calls, options));
  }

  async replays(conversationId: ConversationId, stepId: string): Promise<readonly Replay[]> {
    return withServiceErrors(async () => {
      const isThere =
        (await this.#context.storage.get(keys.conversation(conversationId), z.unknown())) !== undefined;
      if (!isThere) throw conversationUnknown(conversationId);
      return listReplays(this.#context, conversationId, stepId);
    });
  }
}

/**
 * Redacted.
 *
 * @throws {ServiceError} `CONVERSATION_UNKNOWN`, `STEP_UNKNOWN`.
 */
async function readStepRecord(
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
