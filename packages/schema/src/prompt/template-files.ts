import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

export const templateFilesQuerySchema = lazySchema(() =>
  z.object({
    /** Absolute working folder. Defaults to the host's. */
    cwd: z.string().optional(),
    /** Absolute, or relative to `cwd`. Defaults to `cwd`. */
    folder: z.string().optional(),
  }),
);
export type TemplateFilesQuery = z.infer<typeof templateFilesQuerySchema>;

/** `link`: the target is not disclosed. */
const templateFileKindSchema = z.enum(["file", "folder", "link"]);

export const templateFilesResponseSchema = lazySchema(() =>
  z.object({
    /** Absolute working folder. */
    cwd: z.string(),
    /** In the form of `query.folder`: relative to `cwd` if below it (`""` for `cwd`), else absolute. */
    folder: z.string(),
    /** Parent folder in the same form; `null` if absent or not readable. */
    parent: z.string().nullable(),
    /** Folders first, then by the bytes of the names. */
    entries: z.array(
      z.object({
        name: z.string(),
        kind: templateFileKindSchema,
        /** Argument of `file:` in a template. */
        path: z.string(),
        /** 0 unless a file. */
        sizeBytes: z.int().nonnegative(),
      }),
    ),
    /** Number of entries omitted. */
    leftOut: z.int().nonnegative(),
  }),
);
export type TemplateFilesResponse = z.infer<typeof templateFilesResponseSchema>;
