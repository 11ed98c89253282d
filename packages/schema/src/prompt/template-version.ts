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

/** Metadata of a version. */
export const templateChangeSchema = lazySchema(() =>
  z.strictObject({
    /** Author of the change. Defaults to the kind of client, such as `http`. */
    author: lineSchema(200).optional(),
    /** Reason of the change. */
    note: lineSchema(1_000).optional(),
  }),
);
export type TemplateChange = z.infer<typeof templateChangeSchema>;

const versionNumberSchema = z.int().positive();

/** Metadata of one version of the stored template. */
export const templateVersionSchema = lazySchema(() =>
  z.object({
    /** Increases with each version; never reused. */
    version: versionNumberSchema,
    createdAt: timestampSchema,
    /** `null`: the version is a deletion. */
    sha256: sha256Schema.nullable(),
    /** In UTF-8 bytes. */
    sizeBytes: z.int().nonnegative(),
    /** Author of the change; `null` if unknown. */
    author: z.string().nullable(),
    note: z.string().nullable(),
  }),
);
export type TemplateVersion = z.infer<typeof templateVersionSchema>;

/** Newest first. */
export const templateVersionsResponseSchema = lazySchema(() =>
  z.object({
    /** Versions, newest first. */
    versions: z.array(templateVersionSchema),
    /** The version in force; `null` if none is stored or it is unreadable. */
    current: versionNumberSchema.nullable(),
    /** Versions of this page with unreadable records. */
    damaged: z.array(versionNumberSchema),
    nextCursor: z.string().optional(),
  }),
);
export type TemplateVersionPage = z.infer<typeof templateVersionsResponseSchema>;

/** A version with its text. */
export const templateVersionResponseSchema = lazySchema(() =>
  templateVersionSchema.extend({
    /** Text of the template; `null`: the version is a deletion. */
    template: z.string().nullable(),
  }),
);
export type TemplateVersionText = z.infer<typeof templateVersionResponseSchema>;

/** Line diff between two versions. */
export const templateDiffResponseSchema = lazySchema(() =>
  textDiffSchema.extend({
    /** Number of the old version; `null` if the template is new. */
    from: versionNumberSchema.nullable(),
    /** Number of the new version. */
    to: versionNumberSchema,
  }),
);
export type TemplateVersionDiff = z.infer<typeof templateDiffResponseSchema>;

/** The template in force, with data for detecting concurrent changes. */
export const templateInForceSchema = lazySchema(() =>
  systemPromptTemplateResponseSchema.extend({
    /** `null` if the template is not stored, or the prompt builder keeps no versions. */
    version: versionNumberSchema.nullable().default(null),
    /** Value of the `ETag` header, with quotes, for `If-Match`. `null` if the prompt builder keeps no versions. */
    etag: z.string().nullable().default(null),
  }),
);
export type TemplateInForce = z.infer<typeof templateInForceSchema>;

/** `details` of `TEMPLATE_CONFLICT`. */
export const templateConflictSchema = lazySchema(() =>
  z.object({
    /** Text of the request; `null` for a deletion. */
    yours: z.string().nullable(),
    /** The template in force. */
    theirs: z.string(),
    /** `null` if not stored. */
    version: versionNumberSchema.nullable(),
    /** Pass it as `If-Match` to overwrite. */
    etag: z.string(),
    author: z.string().nullable(),
    createdAt: timestampSchema.nullable(),
  }),
);
export type TemplateConflict = z.infer<typeof templateConflictSchema>;
