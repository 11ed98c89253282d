import { lazySchema, promptReasonSchema } from "@incipit/schema";
import * as z from "zod";

/** What is kept of a conversation's prompt; its text is kept under its hash, once for all that have it. */
export const promptRecordSchema = lazySchema(() =>
  z.object({
    sha256: z.string(),
    sizeBytes: z.int(),
    reason: promptReasonSchema,
    constructedAt: z.iso.datetime(),
    templateVersion: z.int().nullable(),
    /** Where append and segments begin in the text, in UTF-16 units. */
    tailStart: z.int(),
    /** Who asked for it, and what they say of it; only of a rebuild. */
    by: z.string().nullable().default(null),
    note: z.string().nullable().default(null),
    /** It came with an export. */
    isImported: z.literal(true).exactOptional(),
  }),
);
export type PromptRecord = z.infer<typeof promptRecordSchema>;

export function hashText(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
