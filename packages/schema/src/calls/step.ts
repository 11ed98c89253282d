import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { finishReasonSchema } from "../model/finish-reason.ts";
import { modelPricesSchema } from "../model/model-prices.ts";
import { estimatedUsageSchema, usageSchema } from "../model/usage.ts";
import { failureSchema } from "../values/failure.ts";
import { stepIdSchema, turnIdSchema } from "../values/ids.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { differenceReasonSchema, stepPrefixSchema } from "./step-prefix.ts";
import { unaskedCallSchema } from "./auto-approved-call.ts";

/** A part of a request in prefix order: tools, system, then each message. */
const promptPartHashSchema = lazySchema(() =>
  z.object({
    /** Name of the part: `tools`, `system` or `message:0` and so on. */
    part: z.string(),
    sha256: sha256Schema,
    sizeBytes: z.int(),
  }),
);

/** Record of a model call of a turn or a compaction. */
export const stepSchema = lazySchema(() =>
  z.object({
    id: stepIdSchema,
    turnId: turnIdSchema,
    epoch: z.int().positive(),
    /** Whether it answered a turn or summarized the history. */
    purpose: z.enum(["turn", "compaction"]),
    /** PROVIDER/MODEL that was called. */
    model: z.string(),
    startedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    /** Requests sent, including retries. */
    attempts: z.int(),
    /** SHA-256 of the last request's body; `null` if none was sent. */
    requestSha256: sha256Schema.nullable(),
    requestSizeBytes: z.int().nullable(),
    /** SHA-256 of the system messages, joined with a blank line; `null` if none was sent. */
    systemSha256: sha256Schema.nullable(),
    /** `tools`, `system`, `message:0` …, starting with the first part that the previous step did not send. */
    parts: z.array(promptPartHashSchema),
    /** First part that differs from the previous step; `null` if the previous request is a prefix of this one. */
    firstDifference: z.string().nullable(),
    /** Why the request does not start with the previous one; `null` if it does. */
    differenceReason: differenceReasonSchema.nullable(),
    /** `null` if nothing was sent, or for records of older versions. */
    prefix: stepPrefixSchema.nullable().default(null),
    /** SHA-256 of the call's own system messages and their mode. */
    requestTierSha256: sha256Schema.nullable().default(null),
    /** Whether no prompt builder was loaded. */
    isPromptBuilderAbsent: z.boolean().default(false),
    /** `null` without system messages, or if they are in the vendor's system field. */
    instructions: toldInstructionsSchema.nullable().default(null),
    /** Prices known at the time of sending. */
    prices: modelPricesSchema.nullable().default(null),
    usage: usageSchema.nullable(),
    /** Present if the vendor did not report usage although a reply began. */
    estimatedUsage: estimatedUsageSchema.exactOptional(),
    finishReason: finishReasonSchema.nullable(),
    error: failureSchema.nullable(),
    /** Tool calls of the reply that ran without approval although the tool requires it. */
    unaskedCalls: z.array(unaskedCallSchema).exactOptional(),
    /** The user's instructions for the summary; only for a compaction. */
    compactionInstructions: z.string().exactOptional(),
  }),
);
export type Step = z.infer<typeof stepSchema>;

/**
 * How system messages reached an agent that keeps its own session.
 *
 * - `system-prompt`: `systemPrompt` field of the request that started, loaded or resumed the session.
 * - `meta`: likewise, `_meta.systemPrompt`.
 * - `block`: as `<system-instructions>` before the user message.
 */
export const toldInstructionsSchema = lazySchema(() =>
  z.object({
    /** `system-prompt`: in a field of the session. `meta`: in its `_meta`. `block`: as text before the message. */
    by: z.enum(["system-prompt", "meta", "block"]),
    /** `now`: with this request. `before`: with an earlier request of the session; not repeated. */
    told: z.enum(["now", "before"]),
  }),
);
export type ToldInstructions = z.infer<typeof toldInstructionsSchema>;
