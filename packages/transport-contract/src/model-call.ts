import * as z from "zod";
import { callIdSchema, sha256Schema, timestampSchema } from "./ids.ts";
import { explainSchema } from "./explain.ts";
import { failureSchema, finishReasonSchema, usageSchema } from "./turn-event.ts";

/** Of an answer of `/v1`: the id of the call's record. */
export const callIdHeader = "x-incipit-call-id";

/** The record of a model call that belongs to no conversation. What was said is in its request, and nowhere else. */
export const modelCallSchema = z.object({
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
  /** Of the last request's body; `null`: none left the host. */
  requestSha256: sha256Schema.nullable(),
  requestSizeBytes: z.int().nullable(),
  /** Of the system texts, joined with a blank line; `null`: none was sent. */
  systemSha256: sha256Schema.nullable(),
  usage: usageSchema.nullable(),
  finishReason: finishReasonSchema.nullable(),
  error: failureSchema.nullable(),
});
export type ModelCall = z.infer<typeof modelCallSchema>;

export const modelCallResponseSchema = z.object({ call: modelCallSchema });
export const modelCallsResponseSchema = z.object({
  calls: z.array(modelCallSchema),
  nextCursor: z.string().optional(),
});

/** What a call was told before its messages; `explain` is `null` when no prompt builder was loaded. */
export const modelCallExplainResponseSchema = z.object({
  /** In their order, one system message each where the vendor takes several. */
  systemTexts: z.array(z.string()),
  /** Of the texts, joined with a blank line; their tokens are counted by the vendor, in the call's `usage`. */
  explain: explainSchema.omit({ tokens: true }).nullable(),
  /** Whether secrets were left out of what is kept; places and hashes are those of what was sent. */
  isRedacted: z.boolean(),
});
export type ModelCallPrompt = z.infer<typeof modelCallExplainResponseSchema>;
