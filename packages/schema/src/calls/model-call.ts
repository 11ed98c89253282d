import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { finishReasonSchema } from "../model/finish-reason.ts";
import { modelPricesSchema } from "../model/model-prices.ts";
import { estimatedUsageSchema, usageSchema } from "../model/usage.ts";
import { explainSchema } from "../prompt/explain.ts";
import { failureSchema } from "../values/failure.ts";
import { callIdSchema } from "../values/ids.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** The record of a model call that belongs to no conversation. What was said is in its request, and nowhere else. */
export const modelCallSchema = lazySchema(() =>
  z.object({
    id: callIdSchema,
    /** `interrupted`: the host ended before the call did. */
    status: z.enum(["running", "completed", "failed", "cancelled", "interrupted"]),
    /** PROVIDER/MODEL. */
    model: z.string(),
    profile: z.string().nullable(),
    /** Absolute. */
    cwd: z.string(),
    startedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    /** Requests that left the host for it: more than 1 when it was tried again. */
    attempts: z.int(),
    /** The hash of the last request's body; `null`: none left the host. */
    requestSha256: sha256Schema.nullable(),
    requestSizeBytes: z.int().nullable(),
    /** The hash of the system texts, joined with a blank line; `null`: none was sent. */
    systemSha256: sha256Schema.nullable(),
    usage: usageSchema.nullable(),
    /** Absent: the vendor counted the call, or no reply began. */
    estimatedUsage: estimatedUsageSchema.exactOptional(),
    /** As they were known when it was sent; `null`: they were not. */
    prices: modelPricesSchema.nullable().default(null),
    /** The vendor's own id of the reply, and its name of the model that answered; `null`: it does not say. */
    responseId: z.string().nullable().default(null),
    responseModel: z.string().nullable().default(null),
    finishReason: finishReasonSchema.nullable(),
    error: failureSchema.nullable(),
  }),
);
export type ModelCall = z.infer<typeof modelCallSchema>;

/** What a call was told before its messages; `explain` is `null` when no prompt builder was loaded. */
export const modelCallExplainResponseSchema = lazySchema(() =>
  z.object({
    /** In their order, one system message each where the vendor takes several. */
    systemTexts: z.array(z.string()),
    /** How the texts came about, joined with a blank line; their tokens are counted by the vendor, in the call's `usage`. */
    explain: explainSchema.omit({ tokens: true }).nullable(),
    /** Whether secrets were left out of what is kept; places and hashes are those of what was sent. */
    isRedacted: z.boolean(),
  }),
);
export type ModelCallPrompt = z.infer<typeof modelCallExplainResponseSchema>;
