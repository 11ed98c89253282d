import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { conversationIdSchema, messageIdSchema, turnIdSchema } from "../values/ids.ts";
import { nameListSchema } from "../values/name-list.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { turnSettingsSchema } from "../model/turn-settings.ts";
import { allowedToolsSchema } from "./allowed-tools.ts";
import { approvalSchema } from "./approval.ts";
import { questionSchema } from "./question.ts";

/** State of a conversation, without its messages. */
export const conversationSchema = lazySchema(() =>
  z.object({
    id: conversationIdSchema,
    /** Absolute working folder. */
    cwd: z.string(),
    /** Default PROVIDER/MODEL of turns. */
    model: z.string(),
    /** Name of the profile it was created with, if any. */
    profile: z.string().nullable(),
    /** Title; `null` until set, or until the first message with text. */
    title: z.string().nullable(),
    /** Fork point; `messageId` is `null` for a fork before the first message. */
    forkedFrom: z
      .object({
        /** Source of the fork. */
        conversationId: conversationIdSchema,
        /** Last common message; `null` if the fork is before the first. */
        messageId: messageIdSchema.nullable(),
      })
      .nullable(),
    /**
     * Tool call that started this subtask; `depth` is 1 for a subtask of a top-level conversation. `null` for other
     * conversations.
     */
    parent: z
      .object({
        /** Conversation of the call. */
        conversationId: conversationIdSchema,
        /** Turn of the call. */
        turnId: turnIdSchema,
        toolCallId: z.string(),
        /** Nesting depth; 1 for a subtask of a top-level conversation. */
        depth: z.int().positive(),
      })
      .nullable(),
    /**
     * When it, or the source of its fork, was imported: its tools need approval for the folder first. `null`
     * otherwise.
     */
    importedAt: timestampSchema.nullable(),
    /** Omitted from lists and searches by default. */
    archived: z.boolean(),
    /** Deleted by the user, but can be restored; rejects messages until then. */
    deletedAt: timestampSchema.exactOptional(),
    /** Available tools, such as `read_file` or `files__*`; `null`: all. */
    allowedTools: allowedToolsSchema.nullable(),
    /** Tools that require approval for each call, from its profile at creation. */
    askedTools: allowedToolsSchema.exactOptional(),
    /** Tools that are not available even if `allowedTools` includes them, from its profile at creation. */
    deniedTools: allowedToolsSchema.exactOptional(),
    /** Available MCP servers, from its profile at creation. Defaults to all. */
    mcpServers: nameListSchema.exactOptional(),
    /** Available skills, from its profile at creation. Defaults to all. */
    skills: nameListSchema.exactOptional(),
    /** Settings of each model call: explicit, or from its profile at creation. */
    settings: turnSettingsSchema.exactOptional(),
    epoch: z.int().positive(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** Sequence number of the last event; 0 if none. */
    lastSeq: z.int().nonnegative(),
    /** `waiting`: turns queued before a restart need an explicit resume (`resume = "ask"`). */
    status: z.enum(["idle", "running", "compacting", "waiting"]),
    /** Tool calls waiting for approval, oldest first. */
    approvals: z.array(approvalSchema),
    /** Open questions of tool calls, oldest first. */
    questions: z.array(questionSchema),
  }),
);
export type Conversation = z.infer<typeof conversationSchema>;

/** `false`: not archived. `true`: archived. `all`: both. */
export const archivedFilterSchema = z.enum(["false", "true", "all"]);
export type ArchivedFilter = z.infer<typeof archivedFilterSchema>;

/** A `status`, or `busy` (running or compacting), or `asking` (with open approvals or questions). */
export const statusFilterSchema = z.enum(["idle", "running", "compacting", "waiting", "busy", "asking"]);
export type StatusFilter = z.infer<typeof statusFilterSchema>;
