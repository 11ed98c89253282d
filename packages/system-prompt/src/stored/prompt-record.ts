import { lazySchema, promptReasonSchema } from "@incipit/schema";
import * as z from "zod";

/** The text is stored once per hash. */
export const promptRecordSchema = lazySchema(() =>
  z.object({
    sha256: z.string(),
    sizeBytes: z.int(),
    reason: promptReasonSchema,
    constructedAt: z.iso.datetime(),
    templateVersion: z.int().nullable(),
    /** Offset of append text and segments, in UTF-16 units. */
    tailStart: z.int(),
    by: z.string().nullable(),
    note: z.string().nullable(),
    isImported: z.literal(true).exactOptional(),
  }),
);
export type PromptRecord = z.infer<typeof promptRecordSchema>;
