import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { tokenCountSchema } from "./token-count.ts";

/** Why a template variable has no value. */
export const absentReasonSchema = z.enum([
  "not-found",
  "not-a-repository",
  "not-installed",
  "not-set",
  "denied",
  "too-large",
  "too-many",
  "not-a-file",
  "not-text",
  "timeout",
  "failed",
  "unknown-type",
  "not-trusted",
]);
export type AbsentReason = z.infer<typeof absentReasonSchema>;

/** The user's trust in a text from a working folder. `changed`: trusted with different content. */
const textTrustSchema = z.enum(["trusted", "not-trusted", "changed"]);
export type TextTrust = z.infer<typeof textTrustSchema>;

const tierNameSchema = z.enum(["request", "profile", "global", "default"]);
export type TierName = z.infer<typeof tierNameSchema>;

/** A candidate for the base text, with the outcome. */
const explainedTierSchema = lazySchema(() =>
  z.object({
    /** The tier. */
    tier: tierNameSchema,
    /** Order of precedence, from 1. */
    position: z.int().positive(),
    /** Origin of its text. */
    source: z.string(),
    /** Whether its text is the base of the prompt. */
    won: z.boolean(),
    /** Why it was or was not used. */
    reason: z.string(),
    /** Text of the tier; `null` if not set. */
    template: z.string().nullable(),
    /** SHA-256 of the text; `null` if not set. */
    sha256: sha256Schema.nullable(),
    /** Version of a stored template; `null` otherwise. */
    version: z.int().nullable(),
  }),
);

const variableFileSchema = lazySchema(() =>
  z.object({
    /** Absolute path of the file. */
    path: z.string(),
    /** Size in bytes, as read. */
    sizeBytes: z.int(),
    /** `null` for files outside a working folder. */
    trust: textTrustSchema.nullable(),
  }),
);

/** `not-applied`: excluded by its own conditions. */
const leftOutReasonSchema = z.enum([...absentReasonSchema.options, "not-applied"]);
export type LeftOutFileReason = z.infer<typeof leftOutReasonSchema>;

const leftOutFileSchema = lazySchema(() =>
  z.object({
    /** Absolute path, or as written if it does not resolve to a readable location. */
    path: z.string(),
    reason: leftOutReasonSchema,
    /** Human-readable reason, on one line. */
    why: z.string(),
  }),
);

const explainedVariableSchema = lazySchema(() =>
  z.object({
    /** Part of the variable before the colon, such as `file`. */
    type: z.string(),
    /** Part of the variable after the colon, such as `AGENTS.md`. */
    name: z.string(),
    /** Whether it has a value. */
    kind: z.enum(["value", "absent"]),
    /** Value of the variable; `null` if absent. */
    value: z.string().nullable(),
    reason: absentReasonSchema.nullable(),
    sizeBytes: z.int(),
    /** Additional detail, such as the message of an extension's error; one line. */
    detail: z.string().nullable(),
    /** Absolute path of the file, git command, extension or other origin. */
    source: z.string(),
    /** Extension that contributes the variable; `null` if built in. */
    extension: z.string().nullable(),
    /** `null` for text outside a working folder, or for records of older versions. */
    trust: textTrustSchema.nullable(),
    /** Files that contributed to an extension's value, with the trust in each. */
    files: z.array(variableFileSchema).exactOptional(),
    /** Files, found or referenced, that the extension omitted. */
    leftOut: z.array(leftOutFileSchema).exactOptional(),
    tookMs: z.number(),
  }),
);

/**
 * A branch of an `[if]` that produced text. Below the nesting limit, text counts for the innermost listed branch.
 */
const explainedBranchSchema = lazySchema(() =>
  z.object({
    /** As in the template: `if file:AGENTS.md`, `if !git:status`. */
    condition: z.string(),
    /** `type:name`. */
    variable: z.string(),
    /** `else`: the condition was false. */
    side: z.enum(["then", "else"]),
    /** Index of the enclosing branch. */
    parent: z.int().nullable(),
    /**
     * `base`: the selected tier's template. `profile-append`: appended by the profile. `append`:
     * `append_system_prompt`.
     */
    template: z.enum(["base", "profile-append", "append"]),
    /** Offset of its `[if]` in the template, in UTF-16 units. */
    templateStart: z.int(),
    /** End of its branch in the template, exclusive. */
    templateEnd: z.int(),
  }),
);

const explainedRangeSchema = lazySchema(() =>
  z.object({
    start: z.int(),
    end: z.int(),
    /** Kind of text. */
    origin: z.enum(["literal", "variable", "append", "segment", "request", "separator"]),
    /** The variable's `type:name`, or the segment's id. */
    name: z.string().nullable(),
    /** Tier of the base text, `profile-append`, `append` or `segment`. A separator belongs to the text after it. */
    tier: z.string(),
    /** Extension that contributes the segment or variable; `null` if built in. */
    extension: z.string().nullable(),
    /** Index in `branches`. */
    branch: z.int().nullable(),
    /** Range in the template or the appended template, in UTF-16 units. */
    templateStart: z.int().nullable(),
    templateEnd: z.int().nullable(),
  }),
);

const explainedSegmentSchema = lazySchema(() =>
  z.object({
    /** Id of the segment. */
    id: z.string(),
    /** Extension that contributes it. */
    extension: z.string(),
    /** Position among the segments; lowest first. */
    order: z.number(),
    /** For `failed` and `shadowed`, `detail` is the reason for the omission. */
    kind: z.enum(["text", "nothing", "failed", "shadowed"]),
    /** Why it was omitted; `null` if it was not. */
    detail: z.string().nullable(),
    tookMs: z.number(),
  }),
);

/** A contribution that is not used because another has the same name. */
const conflictSchema = lazySchema(() =>
  z.object({
    /** Extension point. */
    point: z.enum(["prompt-variables@1", "prompt-segments@1"]),
    /** Type of the variables, or id of the segment. */
    name: z.string(),
    /** Extension of the unused contribution. */
    extension: z.string(),
    /** Description of the conflict. */
    detail: z.string(),
  }),
);

/** Explains the construction of a prompt: the origin of each character, and unused candidates. */
export const explainSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL that the prompt was constructed for, if known. */
    model: z.string().nullable(),
    /** In order of precedence; at most one has `won`. */
    tiers: z.array(explainedTierSchema),
    /** Template of `append_system_prompt`. */
    append: z.string().nullable(),
    /** Template appended by the profile. */
    profileAppend: z.string().exactOptional(),
    /** All resolved variables. */
    variables: z.array(explainedVariableSchema),
    /** Branches of conditions that produced text. */
    branches: z.array(explainedBranchSchema),
    /** Covers each UTF-16 unit of the result exactly once, in order. */
    ranges: z.array(explainedRangeSchema),
    /** All segments, in text order. */
    segments: z.array(explainedSegmentSchema),
    /** Unused contributions whose name is already in use. */
    conflicts: z.array(conflictSchema),
    sha256: sha256Schema,
    sizeBytes: z.int(),
    templateVersion: z.int().nullable(),
    /** Imported: constructed on another host, which also supplied its explanation. */
    isImported: z.literal(true).exactOptional(),
    /** Tokens of the whole text, counted on read. */
    tokens: tokenCountSchema,
  }),
);
export type Explain = z.infer<typeof explainSchema>;
