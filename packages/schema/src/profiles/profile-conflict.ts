import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** `details` of `PROFILE_CONFLICT`. */
export const profileConflictSchema = lazySchema(() =>
  z.object({
    /** What was to be written; `null`: it was to be taken away. */
    yours: z.string().nullable(),
    /** What its file has; `null`: there is none that counts, or its file is not trusted as it is. */
    theirs: z.string().nullable(),
    /** With it as `If-Match`, yours takes the place of theirs; `null`: there is none. */
    etag: z.string().nullable(),
  }),
);
export type ProfileConflict = z.infer<typeof profileConflictSchema>;
