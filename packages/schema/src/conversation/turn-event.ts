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
  /** Id of the turn; a requested compaction has its own. */
  turnId: turnIdSchema,
  at: timestampSchema,
};
const part = {
  stepId: stepIdSchema,
  /** Id of the part within its model call. */
  partId: z.string(),
  /** Text: the addition for a delta, the complete text at the end. */
  text: z.string(),
};
/** A merged delta replaces the events `fromSeq` to `seq`. */
const delta = {
  ...part,
  /** First event that a merged delta replaces. */
  fromSeq: z.int().positive().exactOptional(),
};

/** An event of a conversation, stored before it is delivered. */
export const turnEventSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    /** A message was accepted, and its turn waits for earlier ones. */
    z.object({
      type: z.literal("turn-queue"),
      ...base,
      /** Text of the message. */
      input: z.string(),
      /** Position in the queue; 1 for the next turn. */
      position: z.int().positive(),
    }),
    /** A turn started. */
    z.object({
      type: z.literal("turn-start"),
      ...base,
      /** Text of the message. */
      input: z.string(),
    }),
    /** The prompt of the conversation was constructed. */
    z.object({
      type: z.literal("prompt-resolve"),
      ...base,
      sha256: sha256Schema,
      sizeBytes: z.int(),
      reason: promptReasonSchema,
    }),
    /** The tools of the epoch were determined. */
    z.object({
      type: z.literal("tools-resolve"),
      ...base,
      /** SHA-256 of the definitions' JSON, which is the same for all requests of the epoch. */
      sha256: sha256Schema,
      /** Number of tools. */
      count: z.int().nonnegative(),
      /** Servers whose tools are deferred. */
      deferred: z.array(deferredServerSchema).exactOptional(),
      /** Missing tools, with reasons. */
      problems: z.array(z.string()),
    }),
    /** A model call starts. */
    z.object({
      type: z.literal("step-start"),
      ...base,
      stepId: stepIdSchema,
      /** PROVIDER/MODEL that is called. */
      model: z.string(),
    }),
    /** A model call failed and will be retried. */
    z.object({
      type: z.literal("step-retry"),
      ...base,
      stepId: stepIdSchema,
      /** Number of the failed attempt, from 1. */
      attempt: z.int(),
      /** Delay before the next attempt in milliseconds. */
      waitMs: z.number(),
      /** Why the attempt failed. */
      error: failureSchema,
    }),
    /** The model starts a text. */
    z.object({ type: z.literal("text-start"), ...base, ...part }),
    /** Addition to a text. */
    z.object({ type: z.literal("text-delta"), ...base, ...delta }),
    /** A text is complete. */
    z.object({ type: z.literal("text-end"), ...base, ...part }),
    /** The model starts to reason. */
    z.object({ type: z.literal("reasoning-start"), ...base, ...part }),
    /** Addition to the reasoning. */
    z.object({ type: z.literal("reasoning-delta"), ...base, ...delta }),
    /** A part of the reasoning is complete. */
    z.object({ type: z.literal("reasoning-end"), ...base, ...part }),
    /** The model starts a tool call. */
    z.object({
      type: z.literal("tool-call-start"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      /** Name of the tool; `call_tool` for a deferred tool, whose name later events have. */
      name: z.string(),
    }),
    /** Progress of a running call, throttled to about one event per second. */
    z.object({
      type: z.literal("tool-call-progress"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      name: z.string(),
      /** Progress as reported by the tool. */
      progress: z.number(),
      /** Value of `progress` at completion, if known. */
      total: z.number().exactOptional(),
      /** Current activity, in one line. */
      message: z.string().exactOptional(),
    }),
    /** A tool call ended. */
    z.object({
      type: z.literal("tool-call-end"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      name: z.string(),
      input: z.string(),
      /** Output of the tool, as sent to the model; absent if the call failed. */
      output: z.string().exactOptional(),
      /** Why the call failed. */
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
      /** Conversation of the subtask. */
      conversationId: conversationIdSchema,
    }),
    /** A tool call waits for approval. */
    z.object({ type: z.literal("approval-request"), ...base, ...approvalFields }),
    /** A tool call was allowed or denied. */
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
    /** A model call ended. */
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
      /** `near-limit`: spending is close to a cap. `unpriced`: the model has no known price. */
      reason: z.enum(["near-limit", "unpriced"]),
      /** Human-readable amount and configuration key. */
      message: z.string(),
    }),
    /** The working folder is not usable; the turn continues without it. Precedes the first model call. */
    z.object({
      type: z.literal("folder-notice"),
      ...base,
      /** Why the folder cannot be used, and what to do; one line. */
      message: z.string(),
    }),
    /** Part of a turn; a requested compaction has its own `turnId` and no other events. */
    z.object({ type: z.literal("compaction-start"), ...base, reason: compactionReasonSchema }),
    /** A compaction ended. */
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
    /** A message is complete and stored. */
    z.object({
      type: z.literal("message-end"),
      ...base,
      /** Id of the stored message. */
      messageId: messageIdSchema,
    }),
    /** A turn ended; the last event of the turn. */
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
