import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { oneLine } from "../values/one-line.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { systemPromptTemplateResponseSchema } from "./template.ts";
import { textDiffSchema } from "./text-diff.ts";

const lineSchema = (maxLength: number): z.ZodString =>
  z
    .string()
    .max(maxLength)
    .regex(...oneLine);

/** What is kept with a version beside its text. */
export const templateChangeSchema = lazySchema(() =>
  z.strictObject({
    /** Who changes it; absent: the kind of client, such as `http`. */
    author: lineSchema(200).optional(),
    /** Why. */
    note: lineSchema(1_000).optional(),
  }),
);
export type TemplateChange = z.infer<typeof templateChangeSchema>;

const versionNumberSchema = z.int().positive();

/** What the stored template was, from one change to the next. */
export const templateVersionSchema = lazySchema(() =>
  z.object({
    /** Grows with each version; a number is never given twice. */
    version: versionNumberSchema,
    createdAt: timestampSchema,
    /** `null`: with this version the stored template was taken away. */
    sha256: sha256Schema.nullable(),
    /** UTF-8. */
    sizeBytes: z.int().nonnegative(),
    author: z.string().nullable(),
    note: z.string().nullable(),
  }),
);
export type TemplateVersion = z.infer<typeof templateVersionSchema>;

/** Newest first. */
export const templateVersionsResponseSchema = lazySchema(() =>
  z.object({
    versions: z.array(templateVersionSchema),
    /** The version that is stored; `null`: none is, or it cannot be read. */
    current: versionNumberSchema.nullable(),
    /** Numbers of this page's versions whose records cannot be read. */
    damaged: z.array(versionNumberSchema),
    nextCursor: z.string().optional(),
  }),
);
export type TemplateVersionPage = z.infer<typeof templateVersionsResponseSchema>;

/** One version with its text. */
export const templateVersionResponseSchema = lazySchema(() =>
  templateVersionSchema.extend({ template: z.string().nullable() }),
);
export type TemplateVersionText = z.infer<typeof templateVersionResponseSchema>;

/** What made one version of another. */
export const templateDiffResponseSchema = lazySchema(() =>
  textDiffSchema.extend({
    /** `null`: there is none before; the whole text is new. */
    from: versionNumberSchema.nullable(),
    to: versionNumberSchema,
  }),
);
export type TemplateVersionDiff = z.infer<typeof templateDiffResponseSchema>;

/** The template in force, with what another writer's change can be found out by. */
export const templateInForceSchema = lazySchema(() =>
  systemPromptTemplateResponseSchema.extend({
    /** `null`: what is in force is not stored, or the prompt builder keeps no versions. */
    version: versionNumberSchema.nullable().default(null),
    /** As in the header `ETag`, with its quotes: for `If-Match`. `null`: the prompt builder keeps no versions. */
    etag: z.string().nullable().default(null),
  }),
);
export type TemplateInForce = z.infer<typeof templateInForceSchema>;

/** `details` of `TEMPLATE_CONFLICT`. */
export const templateConflictSchema = lazySchema(() =>
  z.object({
    /** What was to be stored; `null`: it was to be taken away. */
    yours: z.string().nullable(),
    /** The template in force. */
    theirs: z.string(),
    /** Its version; `null`: it is not stored. */
    version: versionNumberSchema.nullable(),
    /** With it as `If-Match`, yours takes the place of theirs. */
    etag: z.string(),
    author: z.string().nullable(),
    createdAt: timestampSchema.nullable(),
  }),
);
export type TemplateConflict = z.infer<typeof templateConflictSchema>;
