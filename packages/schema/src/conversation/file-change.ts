import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { conversationIdSchema, messageIdSchema, restorationIdSchema } from "../values/ids.ts";

/** Selects file changes by turns, or by a restoration. */
const fileChangesRange = {
  /** Changes of this message's turn and all later ones. */
  from: messageIdSchema.optional(),
  /** A restoration by id; `newest`: all restorations of the newest message that were not undone. */
  restoration: z.union([restorationIdSchema, z.literal("newest")]).optional(),
  /**
   * With `newest`: a fork that the user leaves; selects the first message that it omits, instead of the newest one.
   */
  copy: conversationIdSchema.optional(),
};
const oneRange = [
  ({ from, restoration, copy }: { readonly [Key in keyof typeof fileChangesRange]?: string | undefined }) =>
    (from === undefined) !== (restoration === undefined) && (copy === undefined || restoration === "newest"),
  { message: "Name a message as `from`, or a `restoration`; a `copy` goes with the restoration `newest`" },
] as const;

export const fileChangesQuerySchema = lazySchema(() => z.strictObject(fileChangesRange).refine(...oneRange));
export type FileChangesQuery = z.infer<typeof fileChangesQuerySchema>;

/** Limit per request. */
export const maxRestoredFiles = 1_000;

/** Restores files; other files stay unchanged. */
export const restoreFilesRequestSchema = lazySchema(() =>
  z
    .strictObject({
      ...fileChangesRange,
      /** As in `ChangedFile.path`. */
      paths: z.array(z.string().min(1).max(4_096)).min(1).max(maxRestoredFiles),
    })
    .refine(...oneRange),
);
export type RestoreFilesRequest = z.infer<typeof restoreFilesRequestSchema>;

const changedFileStateSchema = z.enum([
  /** Unchanged since the turns; can be restored. */
  "restorable",
  /** Equal to the previous content. */
  "unchanged",
  /** Changed by someone else. */
  "changed",
  /** The previous content was not saved. */
  "not-kept",
  /** Not readable now, or access is denied. */
  "refused",
]);

/** A file changed by the host's tools. */
export const changedFileSchema = lazySchema(() =>
  z.object({
    /** Absolute, with links resolved. */
    path: z.string(),
    /** State of the file compared with the end of the turns. */
    state: changedFileStateSchema,
    /** Effect of a restoration; absent if not possible. */
    action: z.enum(["write", "create", "remove"]).exactOptional(),
    /** Change made by the restoration: a unified diff or a sentence. */
    preview: z.string().exactOptional(),
    /** Why it cannot, or should not, be restored. */
    why: z.string().exactOptional(),
  }),
);
export type ChangedFile = z.infer<typeof changedFileSchema>;

export const fileChangesSchema = lazySchema(() =>
  z.object({
    /** Files changed by the host's tools in these turns, by path. */
    files: z.array(changedFileSchema),
    /** Names of other tools that ran, whose changes are not recorded. */
    otherTools: z.array(z.string()),
  }),
);
export type FileChanges = z.infer<typeof fileChangesSchema>;

const restoredFileSchema = lazySchema(() =>
  z.object({
    /** Absolute path of the file. */
    path: z.string(),
    /** Result of the restoration. */
    outcome: z.enum(["written", "created", "removed", "left"]),
    /** Why it was not restored. */
    why: z.string().exactOptional(),
    /** Whether the replaced content was saved for an undo; absent if not restored. */
    isKept: z.boolean().exactOptional(),
    /** Empty folders deleted with the file because the turns had created them. */
    removedFolders: z.array(z.string()).exactOptional(),
  }),
);

export const restoredFilesSchema = lazySchema(() =>
  z.object({
    /** Results by file. */
    files: z.array(restoredFileSchema),
    /** Id for undoing this restoration. */
    restoration: restorationIdSchema,
  }),
);
export type RestoredFiles = z.infer<typeof restoredFilesSchema>;
