import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** `folder`: the working folder, or one above it in its repository. `user`: beside the user's `incipit.toml`. `configured`: named in it. */
export const foundFileSourceSchema = z.enum(["folder", "user", "configured"]);
export type FoundFileSource = z.infer<typeof foundFileSourceSchema>;

/**
 * Why one is not there for models. `not-trusted` and `changed`: a person has not said yes to it as it is. `shadowed`: a nearer
 * one has its name. `invalid`: it is none. `too-many`: there are more than are looked at, or told.
 */
export const leftOutReasonSchema = z.enum(["not-trusted", "changed", "shadowed", "invalid", "too-many"]);
export type LeftOutReason = z.infer<typeof leftOutReasonSchema>;

/** A skill or a command that was found, and that nobody can use. */
export const leftOutFileSchema = lazySchema(() =>
  z.object({
    /** The file, or the folder of which not all was looked at; absolute. */
    path: z.string(),
    /** `null`: it is not known. */
    name: z.string().nullable(),
    reason: leftOutReasonSchema,
    /** In words, with what to do. */
    detail: z.string(),
  }),
);
export type LeftOutFile = z.infer<typeof leftOutFileSchema>;
