import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { givenNameSchema } from "../values/given-name.ts";
import { tokenCountSchema } from "./token-count.ts";

export const lintCodeSchema = z.enum([
  "unknown-variable",
  "unknown-type",
  "blank-text",
  "not-a-tag",
  "unclosed-if",
  "stray-else",
  "stray-endif",
  "second-else",
  "constant-condition",
  "same-branches",
  "always-blank",
  "volatile",
  "absent-file",
  "denied-file",
  "absent-value",
  "untrusted-text",
  "secret",
  "too-long",
  "no-base-text",
]);
export type LintCode = z.infer<typeof lintCodeSchema>;

/** `error`: what the model is told is not what was meant. `warning`: it is likely so, or it costs. `info`: good to know. */
export const lintSeveritySchema = z.enum(["error", "warning", "info"]);
export type LintSeverity = z.infer<typeof lintSeveritySchema>;

export const lintFindingSchema = lazySchema(() =>
  z.object({
    code: lintCodeSchema,
    severity: lintSeveritySchema,
    /** Never holds a secret. */
    message: z.string(),
    /** What to do. */
    fix: z.string(),
    /** The text to put in the place of the finding's own; `null`: only a person knows. */
    replacement: z.string().nullable(),
    /** In UTF-16 units; a finding about all of the text is at 0 with no length. */
    offset: z.int().nonnegative(),
    length: z.int().nonnegative(),
    /** From 1; lines end with a line feed. */
    line: z.int().positive(),
    /** From 1, in UTF-16 units. */
    column: z.int().positive(),
  }),
);
export type LintFinding = z.infer<typeof lintFindingSchema>;

export const lintTemplateRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Absent: the one in force, for `profile` when that is given. */
    template: z.string().optional(),
    /** Absent: the host's. */
    cwd: z.string().optional(),
    model: givenNameSchema.optional(),
    profile: givenNameSchema.optional(),
  }),
);
export type LintTemplateRequest = z.infer<typeof lintTemplateRequestSchema>;

export const lintTemplateResponseSchema = lazySchema(() =>
  z.object({
    /** In the order of the text; errors first to be kept when there are too many. */
    findings: z.array(lintFindingSchema),
    /** How many more there are. */
    omitted: z.int().nonnegative(),
    /** Where the template came from. */
    source: z.string(),
    /** The size of the prompt that it makes, with what is appended. */
    sizeBytes: z.int().nonnegative(),
    tokens: tokenCountSchema,
  }),
);
export type LintTemplateResponse = z.infer<typeof lintTemplateResponseSchema>;
