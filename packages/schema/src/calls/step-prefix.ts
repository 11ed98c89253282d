import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { promptReasonSchema } from "../prompt/prompt-reason.ts";

/**
 * Why a request does not begin as the one before did. A cache is kept for each model, and is keyed on tools, system and
 * messages in that order: of several causes the first in that order is named.
 *
 * - `first-step`: there is none before.
 * - `compaction`: the call that sums up, and the one that follows it.
 * - `model-changed`: another model, which has a cache of its own.
 * - `provider-changed`: what was sent is the same, and is written otherwise, or sent to another address: the provider was
 *   replaced, or is configured otherwise.
 * - `tools-changed`: another list of tools.
 * - `request-tier`: system texts came with this call, or with the one before.
 * - `prompt-rebuilt`: the kept prompt was constructed anew.
 * - `prompt-builder-absent`: the prompt builder was unloaded, or is back.
 * - `history-edited`: a message is not what was sent: a file was removed from it, or the conversation was changed between export and
 *   import.
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

/** How the beginning of a request compares with the request before it. */
export const stepPrefixSchema = lazySchema(() =>
  z.object({
    /** `body`: the bytes that left the host; `parts`: whole parts by their hash, where one of the two bodies is not known. */
    measure: z.enum(["body", "parts"]),
    /** The bytes of this request, without the brackets that close it and without marks for the cache. */
    sizeBytes: z.int().nonnegative(),
    /** The same of the one before; `null`: there is none. */
    previousBytes: z.int().nonnegative().nullable(),
    /** How many of those this request has in their place, tools, system and messages in that order. */
    sharedBytes: z.int().nonnegative(),
    /** The first byte that differs; `null`: none does, or it is not known. */
    difference: z
      .object({
        part: z.string(),
        /** In the part's JSON. */
        partByte: z.int().nonnegative(),
        /** In the body, from 0. */
        bodyByte: z.int().nonnegative(),
      })
      .nullable(),
    /** What in the prompt is not as it was, the first that differs first: `[system:time]`, `segment ID`, `template`, … */
    changes: z.array(z.string()),
    /** What had a prompt constructed that was rebuilt; `null`: none was. */
    promptReason: promptReasonSchema.nullable(),
    /** Thinking that was sent is held to what stood before it: the vendor drops what stands behind the difference. */
    dropsThinking: z.literal(true).exactOptional(),
  }),
);
export type StepPrefix = z.infer<typeof stepPrefixSchema>;
