import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/**
 * Where a profile can come from; the first that has one of a name is the one that counts. `folder`: the working folder.
 * `parent`: a folder above it, up to its repository's. `user`: the folder of the user's own configuration.
 */
export const profileTierSchema = z.enum(["folder", "parent", "user", "configuration"]);
export type ProfileTier = z.infer<typeof profileTierSchema>;

/** Where a profile is written. */
export const profileSourceSchema = lazySchema(() =>
  z.object({
    tier: profileTierSchema,
    /** The absolute path of its file; `null`: it is one of the configuration, in `[profiles.NAME]`. */
    path: z.string().nullable(),
    /** The line on which it begins, from 1, where a file has several; `null`: the file is its own. */
    line: z.int().positive().nullable(),
  }),
);
export type ProfileSource = z.infer<typeof profileSourceSchema>;

/** Another one of the name, and why it does not count. */
export const shadowedProfileSchema = lazySchema(() => profileSourceSchema.extend({ reason: z.string() }));
export type ShadowedProfile = z.infer<typeof shadowedProfileSchema>;

/**
 * `not-yaml`: front matter that cannot be read. `no-front-matter`: a file without any, which is no agent. `not-a-name`: nobody
 * can be called so. `not-a-value`: a key has a value that is none, and was left out. `same-name`: another one of the same place
 * has the name, and comes first. `unknown-tool`: the host has none for it. `too-many`, `too-large`: the rest was not read.
 * `not-readable`: no file that can be read, such as a link that leads out. `not-text`: not text, or in an encoding that is not recognized. `not-trusted`: files of a
 * folder that nobody trusts as they are; nothing of them is told.
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
    /** The file, or the folder, that it is about. */
    path: z.string(),
    line: z.int().positive().nullable(),
    /** What is wrong, and what to do. */
    message: z.string(),
  }),
);
export type ProfileProblem = z.infer<typeof profileProblemSchema>;
