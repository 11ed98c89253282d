import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { messagePartSchema } from "../conversation/message-part.ts";
import { finishReasonSchema } from "../model/finish-reason.ts";
import { usageSchema } from "../model/usage.ts";
import { failureSchema } from "../values/failure.ts";
import { callIdSchema, conversationIdSchema, replayIdSchema, stepIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** One of two answers to the same request. */
const answerSchema = lazySchema(() =>
  z.object({
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
    /** `costUsd` is an upper bound: the vendor did not report what it read from its cache. */
    isCostAtMost: z.literal(true).exactOptional(),
  }),
);
export type Answer = z.infer<typeof answerSchema>;

/** A recorded step that another model was given. */
export const replaySchema = lazySchema(() =>
  z.object({
    id: replayIdSchema,
    conversationId: conversationIdSchema,
    stepId: stepIdSchema,
    createdAt: timestampSchema,
    original: answerSchema,
    /** `null`: it is running, or the host ended before it did. */
    replay: answerSchema.nullable(),
    /** The record of its call, which has the exact request; `null`: none was made. */
    callId: callIdSchema.nullable(),
    /** What could not be the same, a sentence each. */
    notes: z.array(z.string()),
  }),
);
export type Replay = z.infer<typeof replaySchema>;
