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
import { toldInstructionsSchema } from "./told-instructions.ts";
import { unaskedCallSchema } from "./unasked-call.ts";

/** One part of a request in the order of the prefix: tools, system, then each message. */
export const promptPartHashSchema = lazySchema(() =>
  z.object({ part: z.string(), sha256: sha256Schema, sizeBytes: z.int() }),
);

/** The record of one model call of a turn, or of a compaction. */
export const stepSchema = lazySchema(() =>
  z.object({
    id: stepIdSchema,
    turnId: turnIdSchema,
    epoch: z.int().positive(),
    purpose: z.enum(["turn", "compaction"]),
    model: z.string(),
    startedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    /** Requests that left the host for it: more than 1 when it was tried again. */
    attempts: z.int(),
    /** The hash of the last request's body; `null`: none left the host. */
    requestSha256: sha256Schema.nullable(),
    requestSizeBytes: z.int().nullable(),
    systemSha256: sha256Schema.nullable(),
    /** `tools`, `system`, `message:0` …: those from the first on that the step before had not sent. */
    parts: z.array(promptPartHashSchema),
    /** The first part that is not what the step before sent; `null`: its whole request is a prefix of this one. */
    firstDifference: z.string().nullable(),
    differenceReason: differenceReasonSchema.nullable(),
    /** `null`: nothing left the host, or a version made the record that did not measure it. */
    prefix: stepPrefixSchema.nullable().default(null),
    /** The hash of the system texts that came with the call, and of how they were placed; `null`: there were none. */
    requestTierSha256: sha256Schema.nullable().default(null),
    isPromptBuilderAbsent: z.boolean().default(false),
    /** `null`: there was no system text, or it stands in the request where the vendor has it. */
    instructions: toldInstructionsSchema.nullable().default(null),
    /** As they were known when it was sent; `null`: they were not. */
    prices: modelPricesSchema.nullable().default(null),
    usage: usageSchema.nullable(),
    /** Absent: the vendor counted the call, or no reply began. */
    estimatedUsage: estimatedUsageSchema.exactOptional(),
    finishReason: finishReasonSchema.nullable(),
    error: failureSchema.nullable(),
    /** Calls of its reply that ran without a question which they would have needed; absent: none. */
    unaskedCalls: z.array(unaskedCallSchema).exactOptional(),
    /** What the user asked of the summary; only a compaction has it. */
    compactionInstructions: z.string().exactOptional(),
  }),
);
export type Step = z.infer<typeof stepSchema>;
