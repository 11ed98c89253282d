import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Secrets replaced by `[redacted:KIND]` before a record was stored. */
export const redactionSchema = lazySchema(() =>
  z.object({
    /** `body`, `url`, `headers.NAME`, `system`. */
    place: z.string(),
    /** Kind of secret, replaced by `[redacted:KIND]`. */
    kind: z.string(),
    /** Number of occurrences. */
    count: z.int().positive(),
  }),
);
export type Redaction = z.infer<typeof redactionSchema>;
