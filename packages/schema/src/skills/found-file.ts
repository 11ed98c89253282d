import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * `folder`: the working folder, or one above it in its repository. `user`: next to the user's `incipit.toml`.
 * `configured`: a folder listed there.
 */
export const foundFileSourceSchema = z.enum(["folder", "user", "configured"]);
export type FoundFileSource = z.infer<typeof foundFileSourceSchema>;

/**
 * Why an entry is unavailable. `not-trusted`, `changed`: the user does not trust its current content. `shadowed`: a
 * nearer one has the same name. `invalid`: malformed. `too-many`: limit exceeded.
 */
const leftOutReasonSchema = z.enum(["not-trusted", "changed", "shadowed", "invalid", "too-many"]);
export type LeftOutReason = z.infer<typeof leftOutReasonSchema>;

/** A skill or command that cannot be used. */
export const leftOutFileSchema = lazySchema(() =>
  z.object({
    /** Absolute path of the file, or of a folder not read completely. */
    path: z.string(),
    /** `null` if unknown. */
    name: z.string().nullable(),
    reason: leftOutReasonSchema,
    /** Human-readable reason and solution. */
    detail: z.string(),
  }),
);
export type LeftOutFile = z.infer<typeof leftOutFileSchema>;
