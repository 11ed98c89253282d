import {
  archivedFilterSchema,
  conversationSchema,
  conversationTaskSchema,
  createConversationRequestSchema,
  exportLineSchema,
  forkConversationRequestSchema,
  clientNameSchema,
  lazySchema,
  messageSchema,
  messagesQuerySchema,
  pageQuerySchema,
  searchResultSchema,
  spentSchema,
  statusFilterSchema,
  updateConversationRequestSchema,
} from "@incipit/schema";
import * as z from "zod";
import { conversationParamsSchema } from "./conversation-params.ts";
import { deletedResponseSchema } from "./deleted-response.ts";
import type { Route } from "./route.ts";

const conversationsQuerySchema = lazySchema(() =>
  pageQuerySchema.extend({
    /** `false`: not archived. `true`: archived. `all`: both. */
    archived: archivedFilterSchema.default("false"),
    status: statusFilterSchema.optional(),
    /** PROVIDER/MODEL. Defaults to any. */
    model: clientNameSchema.min(1).optional(),
  }),
);

export const conversationResponseSchema = lazySchema(() => z.object({ conversation: conversationSchema }));
export const conversationsResponseSchema = lazySchema(() =>
  z.object({
    /** Conversations, newest first; a page may be empty although others follow. */
    conversations: z.array(conversationSchema),
    nextCursor: z.string().optional(),
  }),
);
export const messagesResponseSchema = lazySchema(() =>
  z.object({
    /** Messages in the requested order. */
    messages: z.array(messageSchema),
    nextCursor: z.string().optional(),
  }),
);

export const tasksResponseSchema = lazySchema(() =>
  z.object({
    /** Subtasks, newest first; a page may be incomplete although others follow. */
    tasks: z.array(conversationTaskSchema),
    /** Total of the page, including nested subtasks. */
    spent: spentSchema,
    nextCursor: z.string().optional(),
  }),
);

/** Routes of conversations and their messages. */
export const conversationRoutes = {
  /**
   * Creates a conversation in a folder, with a model and optionally a profile. Its system prompt is constructed at
   * its first turn, from `system` if given.
   */
  createConversation: {
    method: "POST",
    path: "/conversations",
    access: "converse",
    summary: "Create a conversation",
    status: 201,
    body: createConversationRequestSchema,
    response: conversationResponseSchema,
  },
  /**
   * Lists conversations, newest first, in pages. A page may be shorter than `limit`, or empty, although others
   * follow: continue until `nextCursor` is absent.
   */
  listConversations: {
    method: "GET",
    path: "/conversations",
    access: "read",
    summary: "Conversations, newest first, filtered by status and model; archived ones only with `archived`",
    query: conversationsQuerySchema,
    response: conversationsResponseSchema,
  },
  // Before the routes with `:id`, which would match the word.
  /**
   * Finds conversations with all words of `q` in their title or in one message, ignoring case and accents. Each
   * request searches a limited part, so a page may be short or empty although others follow.
   */
  searchConversations: {
    method: "GET",
    path: "/conversations/search",
    access: "read",
    summary: "Conversations with all search words in the title or one message, newest first",
    query: lazySchema(() =>
      conversationsQuerySchema.extend({
        /** Words that must all occur in one title or message; a "quoted phrase" counts as one. */
        q: z.string().trim().min(1).max(200),
        /**
         * The previous page's cursor: a conversation id, with an offset if the search stopped within that conversation.
         */
        cursor: z
          .string()
          .regex(
            /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:\d{1,12})?$/,
            'must be the "nextCursor" of the previous page',
          )
          .optional(),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        /** Results, newest conversation first; a page may be empty although others follow. */
        results: z.array(searchResultSchema),
        nextCursor: z.string().optional(),
      }),
    ),
  },
  /** Returns one conversation, with the tool calls that wait for approval. */
  getConversation: {
    method: "GET",
    path: "/conversations/:id",
    access: "read",
    params: conversationParamsSchema,
    summary: "One conversation",
    response: conversationResponseSchema,
  },
  /**
   * Lists the subtasks of a conversation, newest first, with their own and nested costs, also while they run. Their
   * conversations are archived from the start.
   */
  listTasks: {
    method: "GET",
    path: "/conversations/:id/tasks",
    access: "read",
    params: conversationParamsSchema,
    summary: "The subagent tasks of a conversation, newest first, with their costs",
    query: pageQuerySchema,
    response: tasksResponseSchema,
  },
  /**
   * Creates a conversation with the same prompt, tools and messages up to a point, so that its next request starts
   * with the same bytes. Its source does not change.
   */
  forkConversation: {
    method: "POST",
    path: "/conversations/:id/fork",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Fork a conversation at a message",
    status: 201,
    body: forkConversationRequestSchema,
    isBodyOptional: true,
    response: conversationResponseSchema,
  },
  /**
   * Changes title, folder, model, profile or system messages of a conversation, or archives it, also while a turn
   * runs. The stored prompt remains until the next construction, by a compaction or a rebuild. Absent fields stay
   * unchanged.
   */
  updateConversation: {
    method: "PATCH",
    path: "/conversations/:id",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Update a conversation: title, folder, model, profile, system messages, archived",
    body: updateConversationRequestSchema,
    response: conversationResponseSchema,
  },
  /**
   * Returns everything stored of a conversation as JSON Lines. Without a last line of type `end`, the export is
   * incomplete. Rejected while a turn runs.
   */
  exportConversation: {
    method: "GET",
    path: "/conversations/:id/export",
    access: "records",
    params: conversationParamsSchema,
    summary: "Export a conversation as JSON Lines",
    response: exportLineSchema,
    isLines: true,
  },
  /**
   * Stores an exported conversation under its original id, completely or not at all. Its tools need approval before
   * they use its folder, and permissions are not imported.
   */
  importConversation: {
    method: "POST",
    path: "/conversations/import",
    access: "converse",
    summary: "Import an exported conversation; it keeps its id",
    status: 201,
    bodyLines: exportLineSchema,
    response: conversationResponseSchema,
  },
  /**
   * Stops all turns of a conversation and permanently deletes it and its subtasks. Returns once nothing of it is
   * stored.
   */
  deleteConversation: {
    method: "DELETE",
    path: "/conversations/:id",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Stop a conversation's turn, and delete its data and its tasks",
    response: deletedResponseSchema,
  },
  /**
   * Lists the messages of all epochs of a conversation, in pages, oldest or newest first. Does not include system
   * messages.
   */
  listMessages: {
    method: "GET",
    path: "/conversations/:id/messages",
    access: "read",
    params: conversationParamsSchema,
    summary: "The messages of a conversation, in either order",
    query: messagesQuerySchema,
    response: messagesResponseSchema,
  },
} as const satisfies Record<string, Route>;
