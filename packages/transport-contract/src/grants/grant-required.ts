import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { capabilitiesSchema } from "./capabilities.ts";

/** `details` of the error `GRANT_REQUIRED`. */
export const grantRequiredDetailsSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    version: z.string(),
    /** All permissions that the manifest requests. */
    asked: capabilitiesSchema,
    /** The grant to send: all requested permissions, or the previous ones if only the code changed. */
    grant: capabilitiesSchema,
    /** Hash of the code, to be sent with the grant. */
    sha256: z.string(),
    /**
     * Number of entries stored under this id that it would get access to, up to 1,000; requires a decision
     * (`data`).
     */
    stored: z.int(),
    /** Requests nothing new, but its code differs from the approved one. */
    isCodeChanged: z.boolean(),
    /** Human-readable, one line per permission. */
    words: z.array(z.string()),
    /** Permissions beyond the last grant; all if there was none. */
    newWords: z.array(z.string()),
  }),
);
