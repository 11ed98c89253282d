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

/** Record of a stateless model call. The content is stored only in its request. */
export const modelCallSchema = lazySchema(() =>
  z.object({
    id: callIdSchema,
    /** `interrupted`: the host exited before the call ended. */
    status: z.enum(["running", "completed", "failed", "cancelled", "interrupted"]),
    /** PROVIDER/MODEL. */
    model: z.string(),
    /** Name of the requested profile, if any. */
    profile: z.string().nullable(),
    /** Absolute working folder. */
    cwd: z.string(),
    startedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    /** Requests sent, including retries. */
    attempts: z.int(),
    /** SHA-256 of the last request's body; `null` if none was sent. */
    requestSha256: sha256Schema.nullable(),
    requestSizeBytes: z.int().nullable(),
    /** SHA-256 of the system messages, joined with a blank line; `null` if none was sent. */
    systemSha256: sha256Schema.nullable(),
    usage: usageSchema.nullable(),
    /** Present if the vendor did not report usage although a reply began. */
    estimatedUsage: estimatedUsageSchema.exactOptional(),
    /** Prices known at the time of sending. */
    prices: modelPricesSchema.nullable().default(null),
    /** Id of the reply, assigned by the vendor. */
    responseId: z.string().nullable().default(null),
    /** Model name reported by the vendor. */
    responseModel: z.string().nullable().default(null),
    finishReason: finishReasonSchema.nullable(),
    error: failureSchema.nullable(),
  }),
);
export type ModelCall = z.infer<typeof modelCallSchema>;

/** Prompt of a stateless call. `explain` is `null` if no prompt builder was loaded. */
export const modelCallExplainResponseSchema = lazySchema(() =>
  z.object({
    /** In order; sent as separate system messages where the vendor supports that. */
    systemTexts: z.array(z.string()),
    /** Explains the messages joined with a blank line. Tokens are in the call's `usage`. */
    explain: explainSchema.omit({ tokens: true }).nullable(),
    /** Whether secrets were redacted. Offsets and hashes refer to the original. */
    isRedacted: z.boolean(),
  }),
);
export type ModelCallPrompt = z.infer<typeof modelCallExplainResponseSchema>;
