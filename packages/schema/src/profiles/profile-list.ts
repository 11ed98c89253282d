import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * Source of a profile, in order of precedence. `folder`: the working folder. `parent`: a folder above it, up to the
 * repository root. `user`: the user's configuration folder.
 */
export const profileTierSchema = z.enum(["folder", "parent", "user", "configuration"]);
export type ProfileTier = z.infer<typeof profileTierSchema>;

/** Tier and location of a profile. */
export const profileSourceSchema = lazySchema(() =>
  z.object({
    tier: profileTierSchema,
    /** Absolute path of its file; `null` for `[profiles.NAME]` in the configuration. */
    path: z.string().nullable(),
    /** First line, from 1, in a file with several profiles; `null` for a file of its own. */
    line: z.int().positive().nullable(),
  }),
);
export type ProfileSource = z.infer<typeof profileSourceSchema>;

/** A shadowed profile of the same name, with the reason. */
export const shadowedProfileSchema = lazySchema(() => profileSourceSchema.extend({ reason: z.string() }));
export type ShadowedProfile = z.infer<typeof shadowedProfileSchema>;

/**
 * `not-yaml`: unreadable front matter. `no-front-matter`: missing front matter. `not-a-name`: invalid name.
 * `not-a-value`: an invalid value, which was ignored. `same-name`: shadowed within the same source. `unknown-tool`:
 * no such tool in the host. `too-many`, `too-large`: limit exceeded; the rest was not read. `not-readable`:
 * unreadable, such as a link out of the folder. `not-text`: binary or in an unknown encoding. `not-trusted`:
 * untrusted files of a folder, not disclosed further.
 */
export const profileProblemSchema = lazySchema(() =>
  z.object({
    code: z.enum([
      "not-yaml",
      "no-front-matter",
      "not-a-name",
      "not-a-value",
      "same-name",
      "unknown-tool",
      "too-many",
      "too-large",
      "not-readable",
      "not-text",
      "not-trusted",
    ]),
    path: z.string(),
    line: z.int().positive().nullable(),
    message: z.string(),
  }),
);
export type ProfileProblem = z.infer<typeof profileProblemSchema>;
