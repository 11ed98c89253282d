import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { oneLine } from "../values/one-line.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { promptReasonSchema } from "./prompt-reason.ts";

const bySchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(...oneLine);

/** A prompt that a conversation had, or has: the newest one is sent. */
export const promptConstructionSchema = lazySchema(() =>
  z.object({
    /** Its text can be read by it. */
    sha256: sha256Schema,
    sizeBytes: z.int().nonnegative(),
    reason: promptReasonSchema,
    constructedAt: timestampSchema,
    templateVersion: z.int().nullable(),
    /** Who asked for it, and why; only of a rebuild. */
    by: z.string().nullable(),
    note: z.string().nullable(),
    /** It came with an export: nobody here constructed it, and what is told of how it came about is its sender's. */
    isImported: z.literal(true).exactOptional(),
  }),
);
export type PromptConstruction = z.infer<typeof promptConstructionSchema>;

/** Asks for a prompt to be constructed anew. */
export const rebuildPromptRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Who asks for it: any name. */
    by: bySchema.optional(),
    /** Why. */
    note: z.string().trim().min(1).max(2_000).optional(),
  }),
);
export type RebuildPromptRequest = z.infer<typeof rebuildPromptRequestSchema>;

/** `nothing-changed`: a new construction gives the kept text; nothing was stored. */
export const rebuildOutcomeSchema = z.enum(["rebuilt", "nothing-changed"]);
export type RebuildOutcome = z.infer<typeof rebuildOutcomeSchema>;
