import * as z from "zod";
import { givenNameSchema } from "./given-name.ts";
import { auditedStepSchema } from "./audit.ts";
import { conversationSchema, stepRequestResponseSchema, stepSchema } from "./conversation.ts";
import { explainSchema } from "./explain.ts";
import { callIdSchema, conversationIdSchema, replayIdSchema, stepIdSchema, timestampSchema } from "./ids.ts";
import { messagePartSchema, messageSchema } from "./message.ts";
import { redactionSchema } from "./redaction.ts";
import { failureSchema, finishReasonSchema, usageSchema } from "./turn-event.ts";

/** Where a step belongs. */
export const stepPlaceResponseSchema = z.object({ conversationId: conversationIdSchema, stepId: stepIdSchema });

/** A tool as a model was told of it. */
const toldToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.json()),
});

/**
 * All that is kept of one model call, to be shown to somebody else: secrets are left out of every text of it, of messages
 * too. What is no longer kept, or never was, is `null`.
 */
export const stepRecordSchema = z.object({
  conversation: conversationSchema.pick({
    id: true,
    title: true,
    cwd: true,
    model: true,
    profile: true,
    epoch: true,
    createdAt: true,
  }),
  step: stepSchema,
  request: stepRequestResponseSchema.nullable(),
  /** Why there is no request. */
  requestProblem: failureSchema.nullable(),
  /** In their order, one system message each where the vendor takes several; none: no system text was sent. */
  systemTexts: z.array(z.string()).nullable(),
  tools: z.array(toldToolSchema).nullable(),
  /** What was sent of the conversation, oldest first. */
  messages: z.array(messageSchema).nullable(),
  /** What the model said: of a compaction, the summary. */
  reply: messageSchema.nullable(),
  durationMs: z.number().nonnegative().nullable(),
  /** How the system text came about, where it is still the one that the conversation keeps. */
  explain: explainSchema.nullable(),
  audit: auditedStepSchema,
  /** How often something was left out of the record as it is shown here. */
  redactions: z.array(redactionSchema),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

export const replayRequestSchema = z.strictObject({
  /** PROVIDER/MODEL. */
  model: givenNameSchema,
});

/** One of two answers to the same request. */
const answerSchema = z.object({
  /** PROVIDER/MODEL. */
  model: z.string(),
  /** Calls of tools are shown; none is run. */
  parts: z.array(messagePartSchema),
  usage: usageSchema.nullable(),
  finishReason: finishReasonSchema.nullable(),
  error: failureSchema.nullable(),
  durationMs: z.number().nonnegative().nullable(),
  /** Input and output; `null`: no price is known, or the vendor counted nothing. */
  costUsd: z.number().nullable(),
});
export type Answer = z.infer<typeof answerSchema>;

/** A recorded step that another model was given. */
export const replaySchema = z.object({
  id: replayIdSchema,
  conversationId: conversationIdSchema,
  stepId: stepIdSchema,
  createdAt: timestampSchema,
  original: answerSchema,
  /** `null`: it is running, or the host ended before it did. */
  replay: answerSchema.nullable(),
  /** Its exact request: `GET /calls/ID/request`; `null`: none was made. */
  callId: callIdSchema.nullable(),
  /** What could not be the same, a sentence each. */
  notes: z.array(z.string()),
});
export type Replay = z.infer<typeof replaySchema>;
export const replayResponseSchema = z.object({ replay: replaySchema });
export const replaysResponseSchema = z.object({ replays: z.array(replaySchema) });
