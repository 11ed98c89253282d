import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { messagePartSchema } from "../conversation/message-part.ts";
import { finishReasonSchema } from "../model/finish-reason.ts";
import { usageSchema } from "../model/usage.ts";
import { failureSchema } from "../values/failure.ts";
import { callIdSchema, conversationIdSchema, replayIdSchema, stepIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** A model's answer to the recorded request. */
const answerSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL that answered. */
    model: z.string(),
    /** Content of the answer; tool calls are not executed. */
    parts: z.array(messagePartSchema),
    usage: usageSchema.nullable(),
    finishReason: finishReasonSchema.nullable(),
    error: failureSchema.nullable(),
    durationMs: z.number().nonnegative().nullable(),
    /** Input and output; `null` without a known price or reported usage. */
    costUsd: z.number().nullable(),
    /** `costUsd` is an upper bound because the vendor did not report cache reads. */
    isCostAtMost: z.literal(true).exactOptional(),
  }),
);
export type Answer = z.infer<typeof answerSchema>;

/** A recorded step sent to another model. */
export const replaySchema = lazySchema(() =>
  z.object({
    id: replayIdSchema,
    conversationId: conversationIdSchema,
    stepId: stepIdSchema,
    createdAt: timestampSchema,
    /** Answer of the recorded model. */
    original: answerSchema,
    /** Answer of the other model; `null` while running, or if the host exited first. */
    replay: answerSchema.nullable(),
    /** Record of the call with the exact request, if any. */
    callId: callIdSchema.nullable(),
    /** Differences that could not be avoided, one sentence each. */
    notes: z.array(z.string()),
  }),
);
export type Replay = z.infer<typeof replaySchema>;
