import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { absentReasonSchema } from "./absent-reason.ts";
import { tokenCountSchema } from "./token-count.ts";

/** Whether a person trusts a text from a working folder as it is. `changed`: it was trusted with other content. */
const textTrustSchema = z.enum(["trusted", "not-trusted", "changed"]);
export type TextTrust = z.infer<typeof textTrustSchema>;

export const tierNameSchema = z.enum(["request", "profile", "global", "default"]);
export type TierName = z.infer<typeof tierNameSchema>;

/** Where a base text can come from, and what became of it. */
const explainedTierSchema = lazySchema(() =>
  z.object({
    tier: tierNameSchema,
    /** 1: asked first. */
    position: z.int().positive(),
    source: z.string(),
    won: z.boolean(),
    /** Why it won or lost. */
    reason: z.string(),
    /** What it had; `null`: nothing is set there. */
    template: z.string().nullable(),
    /** The hash of `template`. */
    sha256: sha256Schema.nullable(),
    /** The number of a stored template; `null`: it is not a stored one. */
    version: z.int().nullable(),
  }),
);

const variableFileSchema = lazySchema(() =>
  z.object({
    /** Absolute. */
    path: z.string(),
    /** As it was read. */
    sizeBytes: z.int(),
    /** `null`: it is not the text of a working folder. */
    trust: textTrustSchema.nullable(),
  }),
);

/** `not-applied`: by its own rules, it does not count here. */
const leftOutReasonSchema = z.enum([...absentReasonSchema.options, "not-applied"]);
export type LeftOutFileReason = z.infer<typeof leftOutReasonSchema>;

const leftOutFileSchema = lazySchema(() =>
  z.object({
    /** Absolute, or as it is written where it does not lead to a place that may be read. */
    path: z.string(),
    reason: leftOutReasonSchema,
    /** The reason in words, in one line. */
    why: z.string(),
  }),
);

const explainedVariableSchema = lazySchema(() =>
  z.object({
    type: z.string(),
    name: z.string(),
    kind: z.enum(["value", "absent"]),
    value: z.string().nullable(),
    reason: absentReasonSchema.nullable(),
    sizeBytes: z.int(),
    /** What the reason alone does not tell, such as the message of what an extension threw; in one line. */
    detail: z.string().nullable(),
    /** The absolute path of the file, the git command, the extension, … */
    source: z.string(),
    /** The one that adds the variable; `null`: it is one of the host's own. */
    extension: z.string().nullable(),
    /** `null`: it is not the text of a working folder, or it was kept before that was written down. */
    trust: textTrustSchema.nullable(),
    /** The files that an extension made it of, with the trust in each. Absent: it named none. */
    files: z.array(variableFileSchema).exactOptional(),
    /** Files that exist, or that one of them names, and that an extension left out. Absent: it named none. */
    leftOut: z.array(leftOutFileSchema).exactOptional(),
    tookMs: z.number(),
  }),
);

/** A side of an `[if]` that gave text. What is nested very deep belongs to the innermost that is listed. */
const explainedBranchSchema = lazySchema(() =>
  z.object({
    /** As in the template: `if file:AGENTS.md`, `if !git:status`. */
    condition: z.string(),
    /** `type:name`. */
    variable: z.string(),
    /** `else`: the condition did not hold. */
    side: z.enum(["then", "else"]),
    /** Index of the branch that it is in; `null`: it is in none. */
    parent: z.int().nullable(),
    /** Which template: that of the tier that won, that which the profile appends, or `append`. */
    template: z.enum(["base", "profile-append", "append"]),
    /** Where its `[if]` stands there, in UTF-16 units. */
    templateStart: z.int(),
    templateEnd: z.int(),
  }),
);

const explainedRangeSchema = lazySchema(() =>
  z.object({
    start: z.int(),
    end: z.int(),
    origin: z.enum(["literal", "variable", "append", "segment", "request", "separator"]),
    /** The variable's `type:name`, the segment's id, … */
    name: z.string().nullable(),
    /** The tier of the base text, `profile-append`, `append` or `segment`. A separator belongs to what is behind it. */
    tier: z.string(),
    /** The one that adds the segment or the variable; `null`: it is the host's own text. */
    extension: z.string().nullable(),
    /** Index in `branches`; `null`: it is in none. */
    branch: z.int().nullable(),
    /** What it stands for in the template of the tier that won, or in what is appended, in UTF-16 units; `null`: in none. */
    templateStart: z.int().nullable(),
    templateEnd: z.int().nullable(),
  }),
);

const explainedSegmentSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    extension: z.string(),
    order: z.number(),
    /** `failed` and `shadowed` say in `detail` why they were left out; the others may say there what is of note. */
    kind: z.enum(["text", "nothing", "failed", "shadowed"]),
    detail: z.string().nullable(),
    tookMs: z.number(),
  }),
);

/** Something that an extension adds, and that is not used because another one has its name. */
const conflictSchema = lazySchema(() =>
  z.object({
    point: z.enum(["prompt-variables@1", "prompt-segments@1"]),
    /** The type of the variables, or the id of the segment. */
    name: z.string(),
    /** Whose is not used. */
    extension: z.string(),
    detail: z.string(),
  }),
);

/** How a prompt came about. */
export const explainSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL that it was made for; `null`: not known. */
    model: z.string().nullable(),
    /** In the order in which they are asked; at most one has `won`. */
    tiers: z.array(explainedTierSchema),
    /** The template of `append_system_prompt`; `null`: none is set. */
    append: z.string().nullable(),
    /** The template that its profile appends. Absent: it appends none. */
    profileAppend: z.string().exactOptional(),
    variables: z.array(explainedVariableSchema),
    branches: z.array(explainedBranchSchema),
    /** Covers each UTF-16 unit of the result exactly once, in order. */
    ranges: z.array(explainedRangeSchema),
    /** Every segment that there was, in the order of the text. */
    segments: z.array(explainedSegmentSchema),
    conflicts: z.array(conflictSchema),
    sha256: sha256Schema,
    sizeBytes: z.int(),
    templateVersion: z.int().nullable(),
    /** It came with an export: nobody here constructed it, and what is told of how it came about is its sender's. */
    isImported: z.literal(true).exactOptional(),
    /** The tokens of the whole text, counted when it is read. */
    tokens: tokenCountSchema,
  }),
);
export type Explain = z.infer<typeof explainSchema>;
