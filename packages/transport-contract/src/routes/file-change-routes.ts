import {
  fileChangesQuerySchema,
  fileChangesSchema,
  messageFileParamsSchema,
  messageFilesSchema,
  replaceMessageFileRequestSchema,
  restoredFilesSchema,
  restoreFilesRequestSchema,
} from "@incipit/schema";
import { conversationParamsSchema } from "./conversation-params.ts";
import type { Route } from "./route.ts";

/** Routes of files changed by a conversation's tools. */
export const fileChangeRoutes = {
  /**
   * Lists the files that the host's tools changed in a turn and all later ones, including subtasks, with the
   * current effect of a restoration. Changes nothing.
   */
  listFileChanges: {
    method: "GET",
    path: "/conversations/:id/file-changes",
    access: "read",
    params: conversationParamsSchema,
    summary: "The files that tools changed since a message, with a preview of restoring them",
    query: fileChangesQuerySchema,
    response: fileChangesSchema,
  },
  /**
   * Restores the given files, each completely or not at all, and only if unchanged since the turns: show the list
   * to the user first. The replaced content is stored if there is room (`isKept`), so that the `restoration` can be
   * undone the same way. Folders created by the turns are deleted with their last file (`removedFolders`). Rejected
   * while a turn runs.
   */
  restoreFiles: {
    method: "POST",
    path: "/conversations/:id/file-changes/restore",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Restore files to their state before the turns that changed them",
    body: restoreFilesRequestSchema,
    response: restoredFilesSchema,
  },
  /**
   * Lists the files of the next request, and those removed since the last compaction. A turn that fails with
   * `FILE_REFUSED` names the file that the vendor rejected.
   */
  listMessageFiles: {
    method: "GET",
    path: "/conversations/:id/files",
    access: "read",
    params: conversationParamsSchema,
    summary: "The images and files in a conversation's requests, and the removed ones",
    response: messageFilesSchema,
  },
  /**
   * Removes a file from later requests, in all messages since the last compaction. Stored data remains, with the
   * time in `removedAt`; a notice replaces the file, so the next request does not start with the previous one.
   * Rejected while a turn runs.
   */
  removeMessageFile: {
    method: "DELETE",
    path: "/conversations/:id/files/:fileId",
    access: "converse",
    params: messageFileParamsSchema,
    summary: "Remove a file from requests; 409 while a turn runs",
    response: messageFilesSchema,
  },
  /** Removes a file and adds another one after it, which is validated and resized like a file of a message. */
  replaceMessageFile: {
    method: "PUT",
    path: "/conversations/:id/files/:fileId",
    access: "converse",
    params: messageFileParamsSchema,
    summary: "Replace a file in requests; 409 while a turn runs",
    body: replaceMessageFileRequestSchema,
    response: messageFilesSchema,
  },
} as const satisfies Record<string, Route>;
