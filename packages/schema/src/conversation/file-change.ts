import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { conversationIdSchema, messageIdSchema, restorationIdSchema } from "../values/ids.ts";

/** Which changes of files are meant: those of turns, or those that were made when files were put back. */
const fileChangesRange = {
  /** A message: its turn, and all behind it. */
  from: messageIdSchema.optional(),
  /** A time at which files were put back; or all that was put back of the newest message, and not taken back since. */
  restoration: z.union([restorationIdSchema, z.literal("newest")]).optional(),
  /** A fork from which somebody goes back, with `newest`: of the first message that it left out, in place of the newest one. */
  copy: conversationIdSchema.optional(),
};
const oneRange = [
  ({ from, restoration, copy }: { readonly [Key in keyof typeof fileChangesRange]?: string | undefined }) =>
    (from === undefined) !== (restoration === undefined) && (copy === undefined || restoration === "newest"),
  { message: "Name a message as `from`, or a `restoration`; a `copy` goes with the restoration `newest`" },
] as const;

export const fileChangesQuerySchema = lazySchema(() => z.strictObject(fileChangesRange).refine(...oneRange));
export type FileChangesQuery = z.infer<typeof fileChangesQuerySchema>;

/** Most files that one request puts back: whoever has more sends them in parts. */
export const maxRestoredFiles = 1_000;

/** Puts files back; those that are not named stay as they are. */
export const restoreFilesRequestSchema = lazySchema(() =>
  z
    .strictObject({
      ...fileChangesRange,
      /** As `ChangedFile.path` has them. */
      paths: z.array(z.string().min(1).max(4_096)).min(1).max(maxRestoredFiles),
    })
    .refine(...oneRange),
);
export type RestoreFilesRequest = z.infer<typeof restoreFilesRequestSchema>;

export const changedFileStateSchema = z.enum([
  /** It is as the turns left it, and can be put back. */
  "restorable",
  /** It is as it was before. */
  "unchanged",
  /** Somebody else has changed it. */
  "changed",
  /** What it was is not kept. */
  "not-kept",
  /** Nobody can look at it at this moment, or it may not be touched. */
  "refused",
]);

/** A file that tools of the host have changed. */
export const changedFileSchema = lazySchema(() =>
  z.object({
    /** Absolute, links followed. */
    path: z.string(),
    state: changedFileStateSchema,
    /** What is done when it is put back. */
    action: z.enum(["write", "create", "remove"]).exactOptional(),
    /** What that changes: a unified diff, or words. */
    preview: z.string().exactOptional(),
    /** Why it is not put back; or what speaks against it. */
    why: z.string().exactOptional(),
  }),
);
export type ChangedFile = z.infer<typeof changedFileSchema>;

export const fileChangesSchema = lazySchema(() =>
  z.object({
    files: z.array(changedFileSchema),
    /** Tools that ran, and whose changes nobody keeps, by name. */
    otherTools: z.array(z.string()),
  }),
);
export type FileChanges = z.infer<typeof fileChangesSchema>;

export const restoredFileSchema = lazySchema(() =>
  z.object({
    path: z.string(),
    outcome: z.enum(["written", "created", "removed", "left"]),
    /** Why it was left as it is. */
    why: z.string().exactOptional(),
    /** Whether what it was when it was put back is kept, so that this can be taken back; absent: it was left. */
    isKept: z.boolean().exactOptional(),
    /** Folders that went with it: the turns had made them, and nothing else was in them. Absent: none. */
    removedFolders: z.array(z.string()).exactOptional(),
  }),
);

export const restoredFilesSchema = lazySchema(() =>
  z.object({
    files: z.array(restoredFileSchema),
    /** With it, what was just put back can be taken back itself. */
    restoration: restorationIdSchema,
  }),
);
export type RestoredFiles = z.infer<typeof restoredFilesSchema>;
