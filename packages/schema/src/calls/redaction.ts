import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** What was left out of a record before it was stored: `[redacted:KIND]` stands in the place of each. */
export const redactionSchema = lazySchema(() =>
  z.object({
    /** `body`, `url`, `headers.NAME`, `system`. */
    place: z.string(),
    kind: z.string(),
    count: z.int().positive(),
  }),
);
export type Redaction = z.infer<typeof redactionSchema>;
