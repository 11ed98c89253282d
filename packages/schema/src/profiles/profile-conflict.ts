import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** `details` of `PROFILE_CONFLICT`. */
export const profileConflictSchema = lazySchema(() =>
  z.object({
    /** Text of the request; `null` for a deletion. */
    yours: z.string().nullable(),
    /** Current text; `null` if no agent is in effect, or its file is not trusted. */
    theirs: z.string().nullable(),
    /** Pass it as `If-Match` to overwrite; `null` if there is no current text. */
    etag: z.string().nullable(),
  }),
);
export type ProfileConflict = z.infer<typeof profileConflictSchema>;
