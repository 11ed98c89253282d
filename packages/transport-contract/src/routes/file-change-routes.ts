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
  listFileChanges: {
    method: "GET",
    path: "/conversations/:id/file-changes",
    access: "read",
    params: conversationParamsSchema,
    summary: "The files that tools have changed from a message on, and what putting them back would do",
    status: 200,
    query: fileChangesQuerySchema,
    response: fileChangesSchema,
  },
  restoreFiles: {
    method: "POST",
    path: "/conversations/:id/file-changes/restore",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Put files back to what they were before the turns that changed them",
    status: 200,
    body: restoreFilesRequestSchema,
    response: restoredFilesSchema,
  },
  listMessageFiles: {
    method: "GET",
    path: "/conversations/:id/files",
    access: "read",
    params: conversationParamsSchema,
    summary: "The pictures and files of its messages that models get, and those that were removed",
    status: 200,
    response: messageFilesSchema,
  },
  removeMessageFile: {
    method: "DELETE",
    path: "/conversations/:id/files/:fileId",
    access: "converse",
    params: messageFileParamsSchema,
    summary: "Take a file out of what models get; 409 while a turn runs",
    status: 200,
    response: messageFilesSchema,
  },
  replaceMessageFile: {
    method: "PUT",
    path: "/conversations/:id/files/:fileId",
    access: "converse",
    params: messageFileParamsSchema,
    summary: "Give models another file in place of one; 409 while a turn runs",
    status: 200,
    body: replaceMessageFileRequestSchema,
    response: messageFilesSchema,
  },
} as const satisfies Record<string, Route>;
