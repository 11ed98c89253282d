import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { cutReasonSchema } from "../model/cut-reason.ts";
import { finishReasonSchema } from "../model/finish-reason.ts";
import { usageSchema } from "../model/usage.ts";
import { promptReasonSchema } from "../prompt/prompt-reason.ts";
import { failureSchema } from "../values/failure.ts";
import {
  approvalIdSchema,
  conversationIdSchema,
  messageIdSchema,
  questionIdSchema,
  stepIdSchema,
  turnIdSchema,
} from "../values/ids.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { deferredServerSchema } from "./deferred-tools.ts";
import { approvalDecisionSchema, approvalEndReasonSchema, approvalFields } from "./approval.ts";
import { questionActionSchema, questionEndReasonSchema, questionFields } from "./question.ts";

/** `automatic`: the conversation reached its share of the context window. */
const compactionReasonSchema = z.enum(["requested", "automatic"]);

/** Outcome of a turn or a compaction. */
export const turnStatusSchema = z.enum(["completed", "failed", "cancelled", "interrupted"]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

const base = {
  /** From 1 in each conversation, without gaps. */
  seq: z.int().positive(),
  turnId: turnIdSchema,
  at: timestampSchema,
};
const part = { stepId: stepIdSchema, partId: z.string(), text: z.string() };
/** A merged delta replaces the events `fromSeq` to `seq`. */
const delta = { ...part, fromSeq: z.int().positive().exactOptional() };

/** An event of a conversation, stored before it is delivered. */
export const turnEventSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("turn-queue"), ...base, input: z.string(), position: z.int().positive() }),
    z.object({ type: z.literal("turn-start"), ...base, input: z.string() }),
    z.object({
      type: z.literal("prompt-resolve"),
      ...base,
      sha256: sha256Schema,
      sizeBytes: z.int(),
      reason: promptReasonSchema,
    }),
    z.object({
      type: z.literal("tools-resolve"),
      ...base,
      /** SHA-256 of the definitions' JSON, which is the same for all requests of the epoch. */
      sha256: sha256Schema,
      count: z.int().nonnegative(),
      /** Servers whose tools are deferred. */
      deferred: z.array(deferredServerSchema).exactOptional(),
      /** Missing tools, with reasons. */
      problems: z.array(z.string()),
    }),
    z.object({ type: z.literal("step-start"), ...base, stepId: stepIdSchema, model: z.string() }),
    z.object({
      type: z.literal("step-retry"),
      ...base,
      stepId: stepIdSchema,
      attempt: z.int(),
      waitMs: z.number(),
      error: failureSchema,
    }),
    z.object({ type: z.literal("text-start"), ...base, ...part }),
    z.object({ type: z.literal("text-delta"), ...base, ...delta }),
    z.object({ type: z.literal("text-end"), ...base, ...part }),
    z.object({ type: z.literal("reasoning-start"), ...base, ...part }),
    z.object({ type: z.literal("reasoning-delta"), ...base, ...delta }),
    z.object({ type: z.literal("reasoning-end"), ...base, ...part }),
    z.object({
      type: z.literal("tool-call-start"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      name: z.string(),
    }),
    /** Progress of a running call, throttled to about one event per second. */
    z.object({
      type: z.literal("tool-call-progress"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      name: z.string(),
      progress: z.number(),
      /** Value of `progress` at completion, if known. */
      total: z.number().exactOptional(),
      /** One line. */
      message: z.string().exactOptional(),
    }),
    z.object({
      type: z.literal("tool-call-end"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      name: z.string(),
      input: z.string(),
      output: z.string().exactOptional(),
      error: failureSchema.exactOptional(),
      /** Number of files in the output, which are in its message. */
      fileCount: z.int().positive().exactOptional(),
      /** Grant by which the call ran without approval, such as `shell(git status:*) of the turn`. */
      allowedBy: z.string().exactOptional(),
    }),
    /** A running call started a subtask in its own conversation. */
    z.object({
      type: z.literal("task-start"),
      ...base,
      toolCallId: z.string(),
      conversationId: conversationIdSchema,
    }),
    z.object({ type: z.literal("approval-request"), ...base, ...approvalFields }),
    z.object({
      type: z.literal("approval-end"),
      ...base,
      approvalId: approvalIdSchema,
      decision: approvalDecisionSchema,
      reason: approvalEndReasonSchema,
    }),
    /** A running call asks the user for values. */
    z.object({ type: z.literal("question-request"), ...base, ...questionFields }),
    /** The answer is passed only to the tool. */
    z.object({
      type: z.literal("question-end"),
      ...base,
      questionId: questionIdSchema,
      action: questionActionSchema,
      reason: questionEndReasonSchema,
    }),
    z.object({
      type: z.literal("step-end"),
      ...base,
      stepId: stepIdSchema,
      usage: usageSchema,
      finishReason: finishReasonSchema,
    }),
    /** Spending is close to a cap of `[limits]`, or the model has no known price; once per conversation. */
    z.object({
      type: z.literal("spending-notice"),
      ...base,
      reason: z.enum(["near-limit", "unpriced"]),
      message: z.string(),
    }),
    /** The working folder is not usable; the turn continues without it. Precedes the first model call. */
    z.object({ type: z.literal("folder-notice"), ...base, message: z.string() }),
    /** Part of a turn; a requested compaction has its own `turnId` and no other events. */
    z.object({ type: z.literal("compaction-start"), ...base, reason: compactionReasonSchema }),
    z.object({
      type: z.literal("compaction-end"),
      ...base,
      /** Unless `completed`, nothing changed. */
      status: turnStatusSchema,
      error: failureSchema.exactOptional(),
      /** The new epoch. */
      epoch: z.int().positive().exactOptional(),
      /** Id of the summary. */
      messageId: messageIdSchema.exactOptional(),
      /** Usage of the summarizing call, if reported. */
      usage: usageSchema.exactOptional(),
    }),
    z.object({ type: z.literal("message-end"), ...base, messageId: messageIdSchema }),
    z.object({
      type: z.literal("turn-end"),
      ...base,
      status: turnStatusSchema,
      error: failureSchema.exactOptional(),
      /** Why a completed reply is truncated. */
      cutReason: cutReasonSchema.exactOptional(),
      /** The vendor's explanation, redacted. */
      cutExplanation: z.string().exactOptional(),
    }),
  ]),
);
export type TurnEvent = z.infer<typeof turnEventSchema>;
export type TurnEventType = TurnEvent["type"];
