import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * Source of a profile, in order of precedence. `folder`: the working folder. `parent`: a folder above it, up to the
 * repository root. `user`: the user's configuration folder.
 */
const profileTierSchema = z.enum(["folder", "parent", "user", "configuration"]);
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
export const shadowedProfileSchema = lazySchema(() =>
  profileSourceSchema.extend({
    /** Why it is not used. */
    reason: z.string(),
  }),
);
export type ShadowedProfile = z.infer<typeof shadowedProfileSchema>;

/** A problem of an agent file. */
export const profileProblemSchema = lazySchema(() =>
  z.object({
    /**
     * Kind of problem. `not-yaml`, `no-front-matter`: unreadable or missing front matter. `not-a-value`: ignored.
     * `same-name`: in the same source. `too-many`, `too-large`: the rest was not read. `not-trusted`: not disclosed.
     */
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
    /** Affected file or folder. */
    path: z.string(),
    /** Affected line, from 1; `null` for the whole file. */
    line: z.int().positive().nullable(),
    /** Problem and solution. */
    message: z.string(),
  }),
);
export type ProfileProblem = z.infer<typeof profileProblemSchema>;
