import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { capabilitiesSchema } from "./capabilities.ts";

/** `details` of the error `GRANT_REQUIRED`. */
export const grantRequiredDetailsSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    version: z.string(),
    /** All that the manifest asks for. */
    asked: capabilitiesSchema,
    /** What to grant for it to go on: all that it asks for, or what it had where only its code has changed. */
    grant: capabilitiesSchema,
    /** The hash of its code; to be sent with the grant. */
    sha256: z.string(),
    /** Entries that were stored under its id before, and that it would get, counted up to 1,000; to be decided with the grant (`data`). */
    stored: z.int(),
    /** It asks for nothing new: its code is not the one that was granted this. */
    isCodeChanged: z.boolean(),
    /** In words, a line for each. */
    words: z.array(z.string()),
    /** What goes beyond the last grant, in words; all of it when there was none. */
    newWords: z.array(z.string()),
  }),
);
