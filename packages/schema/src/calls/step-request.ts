import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { redactionSchema } from "./redaction.ts";

/** A request as recorded where its bytes leave the host; stored redacted. */
export const stepRequestResponseSchema = lazySchema(() =>
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    /** Identical to the sent body, unless `isRedacted`. */
    body: z.string(),
    /** SHA-256 of the sent body. */
    sha256: sha256Schema,
    /** SHA-256 of `body`. */
    storedSha256: sha256Schema,
    isRedacted: z.boolean(),
    redactions: z.array(redactionSchema),
    at: timestampSchema,
  }),
);
export type StepRequest = z.infer<typeof stepRequestResponseSchema>;
