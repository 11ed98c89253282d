import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { redactionSchema } from "./redaction.ts";

/** The exact request: recorded where the bytes leave the host, and stored without the secrets in it. */
export const stepRequestResponseSchema = lazySchema(() =>
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    /** Byte for byte what was sent, unless `isRedacted`. */
    body: z.string(),
    /** The hash of the body that was sent. */
    sha256: sha256Schema,
    /** The hash of `body`. */
    storedSha256: sha256Schema,
    isRedacted: z.boolean(),
    redactions: z.array(redactionSchema),
    at: timestampSchema,
  }),
);
export type StepRequest = z.infer<typeof stepRequestResponseSchema>;
