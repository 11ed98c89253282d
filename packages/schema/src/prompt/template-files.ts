import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

export const templateFilesQuerySchema = lazySchema(() =>
  z.object({
    /** Absolute; absent: the host's. */
    cwd: z.string().optional(),
    /** Absolute, or relative to `cwd`; absent: `cwd` itself. */
    folder: z.string().optional(),
  }),
);
export type TemplateFilesQuery = z.infer<typeof templateFilesQuerySchema>;

/** `link`: where it leads is not said. */
const templateFileKindSchema = z.enum(["file", "folder", "link"]);

export const templateFilesResponseSchema = lazySchema(() =>
  z.object({
    /** Absolute. */
    cwd: z.string(),
    /** The folder as `query.folder` names it: relative to `cwd` within it, `""` for `cwd` itself; absolute elsewhere. */
    folder: z.string(),
    /** The folder above it, likewise; `null`: there is none, or nobody may look into it. */
    parent: z.string().nullable(),
    /** Folders first, then in the order of the names' bytes. */
    entries: z.array(
      z.object({
        name: z.string(),
        kind: templateFileKindSchema,
        /** What stands behind `file:` in a template. */
        path: z.string(),
        /** 0 for what is not a file. */
        sizeBytes: z.int().nonnegative(),
      }),
    ),
    /** How many more there are. */
    leftOut: z.int().nonnegative(),
  }),
);
export type TemplateFilesResponse = z.infer<typeof templateFilesResponseSchema>;
