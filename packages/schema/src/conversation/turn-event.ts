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

/** `automatic`: the conversation fills its share of the model's window. */
const compactionReasonSchema = z.enum(["requested", "automatic"]);

/** How a turn, or a compaction, ended. */
export const turnStatusSchema = z.enum(["completed", "failed", "cancelled", "interrupted"]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

const base = {
  /** Counts from 1 in each conversation, without a gap. */
  seq: z.int().positive(),
  turnId: turnIdSchema,
  at: timestampSchema,
};
const part = { stepId: stepIdSchema, partId: z.string(), text: z.string() };
/** A merged delta stands for the events `fromSeq` to `seq`. */
const delta = { ...part, fromSeq: z.int().positive().exactOptional() };

/** What happens in a conversation, one by one: stored before it is shown. */
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
      /** The hash of the JSON of the definitions: each request of the epoch has them. */
      sha256: sha256Schema,
      count: z.int().nonnegative(),
      /** Servers whose tools are not among them, and are looked up when they are needed; absent: there are none. */
      deferred: z.array(deferredServerSchema).exactOptional(),
      /** What is not among them, and why. */
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
    /** Between a call's start and its end: how far it is, as its tool says. Of many in a second, one is told. */
    z.object({
      type: z.literal("tool-call-progress"),
      ...base,
      stepId: stepIdSchema,
      toolCallId: z.string(),
      name: z.string(),
      progress: z.number(),
      /** What `progress` is when it is done. Absent: nobody knows. */
      total: z.number().exactOptional(),
      /** In one line. */
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
      /** How many files came with the output; they are in its message, once that is stored. Absent: none. */
      fileCount: z.int().positive().exactOptional(),
      /** By what it ran unasked, such as `shell(git status:*) of the turn`. Absent: it was asked about, or needed no approval. */
      allowedBy: z.string().exactOptional(),
    }),
    /** Between a call's start and its end: it has given a task to a conversation of its own. */
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
    /** Between a call's start and its end: its tool asks a person for values. */
    z.object({ type: z.literal("question-request"), ...base, ...questionFields }),
    /** What was answered is told to whoever asked alone. */
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
    /** A cap of `[limits]` is near, or a model has no price for it; announced once in a conversation. */
    z.object({
      type: z.literal("spending-notice"),
      ...base,
      reason: z.enum(["near-limit", "unpriced"]),
      message: z.string(),
    }),
    /** The working folder cannot be used; the turn goes on without it. Comes before the first model call. */
    z.object({ type: z.literal("folder-notice"), ...base, message: z.string() }),
    /** Within its turn; one that was asked for has a `turnId` of its own, and no other events. */
    z.object({ type: z.literal("compaction-start"), ...base, reason: compactionReasonSchema }),
    z.object({
      type: z.literal("compaction-end"),
      ...base,
      /** Unless it is `completed`, nothing was changed. */
      status: turnStatusSchema,
      error: failureSchema.exactOptional(),
      /** The epoch that has begun. */
      epoch: z.int().positive().exactOptional(),
      /** The summary. */
      messageId: messageIdSchema.exactOptional(),
      /** The tokens of its model call; absent: the vendor reported none. */
      usage: usageSchema.exactOptional(),
    }),
    z.object({ type: z.literal("message-end"), ...base, messageId: messageIdSchema }),
    z.object({
      type: z.literal("turn-end"),
      ...base,
      status: turnStatusSchema,
      error: failureSchema.exactOptional(),
      /** Why its reply is not whole; only of one that was completed. */
      cutReason: cutReasonSchema.exactOptional(),
      /** The vendor's explanation; secrets are redacted. Absent: it gave none. */
      cutExplanation: z.string().exactOptional(),
    }),
  ]),
);
export type TurnEvent = z.infer<typeof turnEventSchema>;
export type TurnEventType = TurnEvent["type"];
