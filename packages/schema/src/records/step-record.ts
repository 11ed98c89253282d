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

/** A tool as a model was told of it. */
const toldToolSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    description: z.string(),
    inputSchema: z.record(z.string(), z.json()),
  }),
);

/**
 * All that is kept of one model call, to be shown to somebody else: secrets are left out of every text of it, of messages
 * too. What is no longer kept, or never was, is `null`.
 */
export const stepRecordSchema = lazySchema(() =>
  z.object({
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
    /** Servers whose tools the model could look up beside them. */
    deferredTools: z.array(deferredServerSchema).default([]),
    /** What was sent of the conversation, oldest first. */
    messages: z.array(messageSchema).nullable(),
    /** What the model said: the summary, where the call was a compaction. */
    reply: messageSchema.nullable(),
    durationMs: z.number().nonnegative().nullable(),
    /** How the system text came about, where it is still the one that the conversation keeps. */
    explain: explainSchema.nullable(),
    audit: auditedStepSchema,
    /** How often something was left out of the record as it is shown here. */
    redactions: z.array(redactionSchema),
  }),
);
export type StepRecord = z.infer<typeof stepRecordSchema>;
