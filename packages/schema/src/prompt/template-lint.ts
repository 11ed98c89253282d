import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { clientNameSchema } from "../values/client-name.ts";
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

/**
 * `error`: the prompt differs from the author's intent. `warning`: it probably does, or has a cost. `info`: a hint.
 */
const lintSeveritySchema = z.enum(["error", "warning", "info"]);
export type LintSeverity = z.infer<typeof lintSeveritySchema>;

const lintFindingSchema = lazySchema(() =>
  z.object({
    /** Rule that was violated. */
    code: lintCodeSchema,
    severity: lintSeveritySchema,
    /** Description without secrets. */
    message: z.string(),
    /** Suggested solution. */
    fix: z.string(),
    /** Replacement for the finding's range; `null` if it cannot be fixed automatically. */
    replacement: z.string().nullable(),
    /** In UTF-16 units; 0 and no length for a finding about the whole text. */
    offset: z.int().nonnegative(),
    /** Length in UTF-16 units; 0 for a finding about the whole text. */
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
    /** Defaults to the template in force, for `profile` if given. */
    template: z.string().optional(),
    /** Absolute folder of the template's variables. Defaults to the host's. */
    cwd: z.string().optional(),
    /** PROVIDER/MODEL. Defaults to that of the profile or host. */
    model: clientNameSchema.optional(),
    profile: clientNameSchema.optional(),
  }),
);
export type LintTemplateRequest = z.infer<typeof lintTemplateRequestSchema>;

export const lintTemplateResponseSchema = lazySchema(() =>
  z.object({
    /** In text order. Errors are kept first if there are too many. */
    findings: z.array(lintFindingSchema),
    /** Number of findings omitted. */
    omitted: z.int().nonnegative(),
    /** Origin of the template. */
    source: z.string(),
    /** Size of the resulting prompt, including appended text. */
    sizeBytes: z.int().nonnegative(),
    /** Tokens of the resulting prompt. */
    tokens: tokenCountSchema,
  }),
);
export type LintTemplateResponse = z.infer<typeof lintTemplateResponseSchema>;
