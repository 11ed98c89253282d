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

/** A past or current prompt of a conversation; the newest one is sent. */
export const promptConstructionSchema = lazySchema(() =>
  z.object({
    /** Identifies the text. */
    sha256: sha256Schema,
    sizeBytes: z.int().nonnegative(),
    reason: promptReasonSchema,
    constructedAt: timestampSchema,
    templateVersion: z.int().nullable(),
    /** Who requested the rebuild; `null` if none or unknown. */
    by: z.string().nullable(),
    /** Reason of the rebuild; `null` if none. */
    note: z.string().nullable(),
    /** Imported: constructed on another host, which also supplied its explanation. */
    isImported: z.literal(true).exactOptional(),
  }),
);
export type PromptConstruction = z.infer<typeof promptConstructionSchema>;

/** Body of a request for a new construction of the prompt. */
export const rebuildPromptRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Who requests it: any name. */
    by: bySchema.optional(),
    /** Reason of the request. */
    note: z.string().trim().min(1).max(2_000).optional(),
  }),
);
export type RebuildPromptRequest = z.infer<typeof rebuildPromptRequestSchema>;

/** `nothing-changed`: the new construction equals the stored prompt; nothing was stored. */
export const rebuildOutcomeSchema = z.enum(["rebuilt", "nothing-changed"]);
export type RebuildOutcome = z.infer<typeof rebuildOutcomeSchema>;
