import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { promptReasonSchema } from "./prompt-reason.ts";
import { textDiffSchema } from "./text-diff.ts";
import { tokenCountSchema } from "./token-count.ts";

/** What made a part of a prompt another one. */
export const driftCauseSchema = lazySchema(() =>
  z.object({
    /**
     * `variable`: another value. `branch`: a condition turns out the other way. `template`: another text is the base, or another
     * version of it. `append`: another `append_system_prompt`. `segment`: another text of an extension. `unknown`: what was
     * kept does not say enough.
     */
    kind: z.enum(["variable", "branch", "template", "append", "segment", "unknown"]),
    /** The variable's `type:name`, the condition (`if file:AGENTS.md`), the source of the template, the segment's id. */
    name: z.string(),
    /** What it was, and what it is, in words. */
    detail: z.string(),
  }),
);
export type DriftCause = z.infer<typeof driftCauseSchema>;

/** What construction would give at this moment, against what is kept; nothing is stored by asking. */
export const promptDriftSchema = lazySchema(() => {
  const { hunks, ...textDiff } = textDiffSchema.shape;
  return z.object({
    isSame: z.boolean(),
    kept: z.object({
      sha256: sha256Schema,
      sizeBytes: z.int(),
      templateVersion: z.int().nullable(),
      reason: promptReasonSchema,
      constructedAt: timestampSchema,
    }),
    now: z.object({ sha256: sha256Schema, sizeBytes: z.int(), templateVersion: z.int().nullable() }),
    ...textDiff,
    hunks: z.array(hunks.element.extend({ causes: z.array(driftCauseSchema) })),
    /** What the next request would have read from the vendor's cache, and has to be read anew after a rebuild. */
    rebuildCost: z.object({
      /** The prompt from the first changed byte on, and the history of the epoch. */
      tokens: tokenCountSchema,
      /** Where the new prompt begins to differ; `null`: nothing changes. */
      firstChangedByte: z.int().nullable(),
      /** As input that was not cached; `null`: the prices of the model are not known. */
      usd: z.number().nullable(),
    }),
  });
});
export type PromptDrift = z.infer<typeof promptDriftSchema>;
