import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { promptReasonSchema } from "../prompt/prompt-reason.ts";

/**
 * Why a request does not begin with the previous one. Caches are per model and keyed on tools, system and messages
 * in that order; of several causes, the first in that order is reported.
 *
 * - `first-step`: no previous request.
 * - `compaction`: the summarizing call, and the call after it.
 * - `model-changed`: another model, with its own cache.
 * - `provider-changed`: equal content, encoded differently or sent to another address, because the provider or its
 *   configuration was replaced.
 * - `tools-changed`: another list of tools.
 * - `request-tier`: this call or the previous one had its own system messages.
 * - `prompt-rebuilt`: the stored prompt was constructed again.
 * - `prompt-builder-absent`: the prompt builder was unloaded or loaded again.
 * - `history-edited`: a message differs from the one sent: a file was removed, or the conversation was edited
 *   between export and import.
 */
export const differenceReasonSchema = z.enum([
  "first-step",
  "model-changed",
  "provider-changed",
  "tools-changed",
  "prompt-rebuilt",
  "compaction",
  "request-tier",
  "prompt-builder-absent",
  "history-edited",
  "unknown",
]);
export type DifferenceReason = z.infer<typeof differenceReasonSchema>;

/** Comparison of a request's prefix with the previous request. */
export const stepPrefixSchema = lazySchema(() =>
  z.object({
    /** `body`: bytes as sent. `parts`: whole parts by hash, if one of the bodies is unknown. */
    measure: z.enum(["body", "parts"]),
    /** Size of this request without closing brackets and cache markers. */
    sizeBytes: z.int().nonnegative(),
    /** The same for the previous request. */
    previousBytes: z.int().nonnegative().nullable(),
    /** Length of the common prefix, in the order tools, system, messages. */
    sharedBytes: z.int().nonnegative(),
    /** First differing byte; `null` if none or unknown. */
    difference: z
      .object({
        /** Part with the difference. */
        part: z.string(),
        /** Offset in the part's JSON. */
        partByte: z.int().nonnegative(),
        /** Offset in the body, from 0. */
        bodyByte: z.int().nonnegative(),
      })
      .nullable(),
    /** Changed parts of the prompt, first difference first: `[system:time]`, `segment ID`, `template` and others. */
    changes: z.array(z.string()),
    /** Reason of the rebuild, if the prompt was rebuilt. */
    promptReason: promptReasonSchema.nullable(),
    /** The vendor ties sent thinking to the preceding content, and drops thinking after the difference. */
    dropsThinking: z.literal(true).exactOptional(),
  }),
);
export type StepPrefix = z.infer<typeof stepPrefixSchema>;
