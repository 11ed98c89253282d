import {
  fileChangesQuerySchema,
  fileChangesSchema,
  restoredFilesSchema,
  restoreFilesRequestSchema,
} from "@incipit/schema";
import { conversationParamsSchema } from "./conversation-params.ts";
import type { Route } from "./route.ts";

/** The routes about files that tools of a conversation have changed. */
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
} as const satisfies Record<string, Route>;
