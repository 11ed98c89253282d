import {
  callCost,
  replaySchema,
  stepIdSchema,
  turnIdSchema,
  type Answer,
  type ConversationId,
  type Replay,
  type ReplayId,
  lazySchema,
  type ModelSettings,
} from "@incipit/schema";
import { ServiceError, type ModelCallEvent } from "@incipit/service-contract";
import { compactionRequest } from "../compaction/compaction-prompt.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown } from "../failures/service-errors.ts";
import { toModelMessage } from "../call/model-messages.ts";
import { fetchPrices, findModel, type FoundModel } from "../models/find-model.ts";
import { Reply, ToolCallIds } from "../call/reply.ts";
import type { ModelCalls } from "../stateless/model-calls.ts";
import { keys } from "../store/stored.ts";
import { readRequest } from "../records/wire-records.ts";
import { inTime } from "../waits/settle.ts";
import { durationMs, readRecordedStep, type RecordedStep } from "./recorded-step.ts";
import * as z from "zod";

interface ReplayOptions {
  readonly id: ReplayId;
  readonly conversationId: ConversationId;
  readonly stepId: string;
  readonly model: string;
  readonly signal: AbortSignal;
}

/** Stores both answers, without changing the conversation. */
export async function replayStep(
  context: OrchestratorContext,
  calls: ModelCalls,
  options: ReplayOptions,
): Promise<Replay> {
  const { conversationId, stepId, model, id, signal } = options;
  await context.start.wait(signal); // The provider may load during the host's start.
  signal.throwIfAborted();
  const found = findModel(context.providers, model);
  assertAnswersAlone(found, model);
  await readRequest(context.storage, conversationId, stepId);
  const told = await readRecordedStep(context, conversationId, stepId);
  const { system, tools, messages, step } = told;
  if (told.told === null || system === null || tools === null || messages === null) {
    const message = `Cannot replay step "${stepId}": its request is not fully recorded; an older version of the host recorded it`;
    throw new ServiceError("STEP_UNKNOWN", message);
  }
  const sent = messages.map(toModelMessage);
  const ask = {
    role: "user",
    parts: [{ type: "text", text: compactionRequest(step.compactionInstructions) }],
  } as const;
  const request = {
    messages: step.purpose === "compaction" ? [...sent, ask] : sent,
    tools,
    settings: modelSettingsSchema.parse(told.told.settings),
  };
  const startedAtMs = context.clock.now();
  const begun: Replay = {
    id,
    conversationId,
    stepId: stepIdSchema.parse(stepId),
    createdAt: new Date(startedAtMs).toISOString(),
    original: originalOf(told),
    replay: null,
    callId: null,
    notes: notesOf(system),
  };
  const ids = { turnId: turnIdSchema.parse(id), stepId: stepIdSchema.parse(id) };
  const reply = new Reply({ ...ids, model, callIds: new ToolCallIds(request.messages, tools) });
  let callId: Replay["callId"] = null;
  let end: Extract<ModelCallEvent, { readonly type: "finish" | "failure" }> | undefined;
  const target = { model, found, systemTexts: system.texts };
  for await (const event of calls.callAsRecorded(target, request, { signal })) {
    if (event.type === "call-start") {
      // Stored before the request, so that deleting the conversation also deletes the call's record.
      ({ callId } = event);
      await store(context, { ...begun, callId });
    } else if (event.type === "finish" || event.type === "failure") end = event;
    else reply.take(event);
  }
  reply.close({ hasFailed: end?.type !== "finish" });
  const tookMs = Math.max(0, context.clock.now() - startedAtMs); // The clock may have moved backwards.
  const answer = await answerOf(context, found, { model, end, parts: reply.parts, durationMs: tookMs });
  const replay: Replay = { ...begun, callId, replay: answer };
  await store(context, replay);
  return replay;
}

/** A replay must have no side effects. @throws {ServiceError} `INVALID_REQUEST`. */
function assertAnswersAlone({ provider }: FoundModel, model: string): void {
  if (provider.runsOwnTools !== true) return;
  const message = `Cannot replay a step with "${model}": it runs its own tools and might repeat their effects; choose a model of another provider`;
  throw new ServiceError("INVALID_REQUEST", message, { details: [{ field: '"model"', message }] });
}

async function store({ storage }: OrchestratorContext, replay: Replay): Promise<void> {
  const key = keys.conversation(replay.conversationId);
  for (;;) {
    const conversation = await storage.getVersioned(key, z.unknown());
    if (conversation === undefined) throw conversationUnknown(replay.conversationId);
    const { version } = conversation;
    const write = { kind: "set", key: keys.replay(replay.conversationId, replay.id), value: replay } as const;
    if ((await storage.atomic([{ key, version }], [write])).kind === "committed") return;
  }
}

async function answerOf(
  context: OrchestratorContext,
  found: FoundModel,
  {
    end,
    ...answer
  }: Pick<Answer, "model" | "durationMs"> & {
    readonly parts: Reply["parts"];
    readonly end: Extract<ModelCallEvent, { readonly type: "finish" | "failure" }> | undefined;
  },
): Promise<Answer> {
  const parts = [...answer.parts];
  if (end?.type !== "finish") {
    const cutOff = { code: "CUT_OFF", message: "The call was over without its end" };
    const { code, message } = end?.error ?? cutOff;
    return { ...answer, parts, usage: null, finishReason: null, error: { code, message }, costUsd: null };
  }
  const { usage, finishReason } = end;
  const prices = await inTime(context, fetchPrices(context, found), null);
  return { ...answer, parts, usage, finishReason, error: null, ...costOf(prices, usage) };
}

function originalOf({ step, reply }: RecordedStep): Answer {
  const { model, usage, finishReason, error, prices } = step;
  return {
    model,
    parts: reply?.parts ?? [],
    usage,
    finishReason,
    error,
    durationMs: durationMs(step),
    ...costOf(prices, usage),
  };
}

function costOf(...call: Parameters<typeof callCost>): Pick<Answer, "costUsd" | "isCostAtMost"> {
  const cost = callCost(...call);
  if (cost.kind === "unknown") return { costUsd: null };
  return { costUsd: cost.usd, ...(cost.isAtMost ? { isCostAtMost: true } : {}) };
}

function notesOf({ redactions }: NonNullable<RecordedStep["system"]>): string[] {
  const left = redactions.reduce((sum, { count }) => sum + count, 0);
  const places = left === 1 ? "1 place" : `${left} places`;
  return left === 0
    ? []
    : [
        `${places} of the system text had been left out when it was stored: the replay was told [redacted:KIND] there`,
      ];
}

export async function listReplays(
  { storage }: OrchestratorContext,
  conversationId: ConversationId,
  stepId: string,
): Promise<readonly Replay[]> {
  const range = { prefix: keys.replays(conversationId), reverse: true, limit: 1_000, onInvalid: () => undefined };
  const found = await storage.list(range, replaySchema);
  return found
    .map(({ value }) => value)
    .filter((replay) => replay.stepId === stepId)
    .toReversed();
}

export const modelSettingsSchema: z.ZodType<ModelSettings> = lazySchema(() =>
  z.object({
    temperature: z.number().exactOptional(),
    topP: z.number().exactOptional(),
    presencePenalty: z.number().exactOptional(),
    frequencyPenalty: z.number().exactOptional(),
    seed: z.number().exactOptional(),
    stopSequences: z.array(z.string()).exactOptional(),
    maxOutputTokens: z.number().exactOptional(),
    reasoningEffort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).exactOptional(),
    toolChoice: z
      .union([
        z.enum(["auto", "none", "required"]),
        z.object({ name: z.string() }),
        z.object({ mode: z.enum(["auto", "required"]), allowed: z.array(z.string()) }),
      ])
      .exactOptional(),
    parallelToolCalls: z.literal(false).exactOptional(),
    responseFormat: z
      .object({
        type: z.literal("json"),
        name: z.string().exactOptional(),
        schema: z.record(z.string(), z.json()).exactOptional(),
        isStrict: z.boolean().exactOptional(),
      })
      .exactOptional(),
    vendorFields: z.record(z.string(), z.json()).exactOptional(),
  }),
);
