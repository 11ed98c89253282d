import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { promptReasonSchema } from "./prompt-reason.ts";
import { textDiffSchema } from "./text-diff.ts";
import { tokenCountSchema } from "./token-count.ts";

/** Cause of a change between two constructions of a prompt. */
const driftCauseSchema = lazySchema(() =>
  z.object({
    /**
     * `variable`: new value. `branch`: a condition changed. `template`: another template or version. `append`: another
     * `append_system_prompt`. `segment`: new text of an extension. `unknown`: not determined by the stored data.
     */
    kind: z.enum(["variable", "branch", "template", "append", "segment", "unknown"]),
    /** The variable's `type:name`, the condition (`if file:AGENTS.md`), the template's source, the segment's id. */
    name: z.string(),
    /** Old and new state, in words. */
    detail: z.string(),
  }),
);
export type DriftCause = z.infer<typeof driftCauseSchema>;

/** Difference between the stored prompt and a new construction; nothing is stored. */
export const promptDriftSchema = lazySchema(() => {
  const { hunks, ...textDiff } = textDiffSchema.shape;
  return z.object({
    /** Whether a new construction equals the stored prompt. */
    isSame: z.boolean(),
    /** The stored prompt. */
    kept: z.object({
      sha256: sha256Schema,
      sizeBytes: z.int(),
      templateVersion: z.int().nullable(),
      reason: promptReasonSchema,
      constructedAt: timestampSchema,
    }),
    /** A new construction. */
    now: z.object({ sha256: sha256Schema, sizeBytes: z.int(), templateVersion: z.int().nullable() }),
    ...textDiff,
    /** Changed lines; empty if the texts are equal. */
    hunks: z.array(
      hunks.element.extend({
        /** Causes of the change. */
        causes: z.array(driftCauseSchema),
      }),
    ),
    /** Cached input that the next request would have to read again after a rebuild. */
    rebuildCost: z.object({
      /** The prompt from the first changed byte on, and the history of the epoch. */
      tokens: tokenCountSchema,
      /** `null` if the texts are equal. */
      firstChangedByte: z.int().nullable(),
      /** Priced as uncached input; `null` if the model's prices are unknown. */
      usd: z.number().nullable(),
    }),
  });
});
export type PromptDrift = z.infer<typeof promptDriftSchema>;
