import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { redactionSchema } from "../calls/redaction.ts";
import { stepRequestResponseSchema } from "../calls/step-request.ts";
import { stepSchema } from "../calls/step.ts";
import { conversationSchema } from "../conversation/conversation.ts";
import { deferredServerSchema } from "../conversation/deferred-tools.ts";
import { messageSchema } from "../conversation/message.ts";
import { explainSchema } from "../prompt/explain.ts";
import { failureSchema } from "../values/failure.ts";
import { auditedStepSchema } from "./audit.ts";

/** A tool definition as sent to the model. */
const sentToolSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** Description for the model. */
    description: z.string(),
    inputSchema: z.record(z.string(), z.json()),
  }),
);

/**
 * Complete record of a model call for sharing: all texts, including messages, are redacted. Data not stored is
 * `null`.
 */
export const stepRecordSchema = lazySchema(() =>
  z.object({
    /** Conversation of the call. */
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
    /** Request as sent; `null` if not stored. */
    request: stepRequestResponseSchema.nullable(),
    /** Why the request is missing. */
    requestProblem: failureSchema.nullable(),
    /** System messages in order, as sent; `null` if not stored. */
    systemTexts: z.array(z.string()).nullable(),
    /** Tools sent to the model; `null` if not stored. */
    tools: z.array(sentToolSchema).nullable(),
    /** Servers with deferred tools. */
    deferredTools: z.array(deferredServerSchema).default([]),
    /** Sent messages of the conversation, oldest first; `null` if not stored. */
    messages: z.array(messageSchema).nullable(),
    /** The model's reply; for a compaction, the summary. */
    reply: messageSchema.nullable(),
    durationMs: z.number().nonnegative().nullable(),
    /** Present if the conversation still has this prompt. */
    explain: explainSchema.nullable(),
    audit: auditedStepSchema,
    /** Number of redactions in this record. */
    redactions: z.array(redactionSchema),
  }),
);
export type StepRecord = z.infer<typeof stepRecordSchema>;
