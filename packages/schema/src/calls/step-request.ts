import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { redactionSchema } from "./redaction.ts";

/** A request as recorded where its bytes leave the host; stored redacted. */
export const stepRequestResponseSchema = lazySchema(() =>
  z.object({
    /** HTTP method. */
    method: z.string(),
    /** URL of the request. */
    url: z.string(),
    /** Sent headers by name. */
    headers: z.record(z.string(), z.string()),
    /** Identical to the sent body, unless `isRedacted`. */
    body: z.string(),
    /** SHA-256 of the sent body. */
    sha256: sha256Schema,
    /** SHA-256 of `body`. */
    storedSha256: sha256Schema,
    /** Whether secrets were removed from `body`. */
    isRedacted: z.boolean(),
    /** Removed secrets. */
    redactions: z.array(redactionSchema),
    /** Time of sending. */
    at: timestampSchema,
  }),
);
export type StepRequest = z.infer<typeof stepRequestResponseSchema>;
