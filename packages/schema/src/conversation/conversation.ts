import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { conversationIdSchema, messageIdSchema, turnIdSchema } from "../values/ids.ts";
import { nameListSchema } from "../values/name-list.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { turnSettingsSchema } from "../model/turn-settings.ts";
import { allowedToolsSchema } from "./allowed-tools.ts";
import { approvalSchema } from "./approval.ts";
import { questionSchema } from "./question.ts";

/** What is known of a conversation beside what was said in it. */
export const conversationSchema = lazySchema(() =>
  z.object({
    id: conversationIdSchema,
    /** Absolute. */
    cwd: z.string(),
    /** PROVIDER/MODEL. */
    model: z.string(),
    profile: z.string().nullable(),
    /** `null`: nobody gave one, and no message with text was sent. */
    title: z.string().nullable(),
    /** Where it branched off: behind that message; `null` as `messageId`: before the first. */
    forkedFrom: z
      .object({ conversationId: conversationIdSchema, messageId: messageIdSchema.nullable() })
      .nullable(),
    /** The call whose task it is; `depth` is 1 for a task of a conversation that is none itself. `null`: it is not a task. */
    parent: z
      .object({
        conversationId: conversationIdSchema,
        turnId: turnIdSchema,
        toolCallId: z.string(),
        depth: z.int().positive(),
      })
      .nullable(),
    /** When it came as an export, or its source did: its tools ask for the folder first. `null`: it was had here. */
    importedAt: timestampSchema.nullable(),
    /** Left out of lists and searches that do not ask for it; else as any other. */
    archived: z.boolean(),
    /** A person has deleted it and can still take that back: it takes no message until then. Absent: nobody has. */
    deletedAt: timestampSchema.exactOptional(),
    /** The tools that it may use, such as `read_file` or `files__*`; `null`: all of them. */
    allowedTools: allowedToolsSchema.nullable(),
    /** As its profile had it when it began: a person is asked before each call of these. Absent: as the tools say. */
    askedTools: allowedToolsSchema.exactOptional(),
    /** As its profile had it when it began: it has none of these, also where `allowedTools` names them. Absent: none. */
    deniedTools: allowedToolsSchema.exactOptional(),
    /** As its profile had it when it began: of servers of tools it has these alone. Absent: all of them. */
    mcpServers: nameListSchema.exactOptional(),
    /** As its profile had it when it began: it is told of these skills alone, and opens no other. Absent: all. */
    skills: nameListSchema.exactOptional(),
    /** What each call of its turns asks for: as its profile had it when it began, or as it was given. Absent: nothing. */
    settings: turnSettingsSchema.exactOptional(),
    epoch: z.int().positive(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    /** The number of the newest event; 0 before the first. */
    lastSeq: z.int().nonnegative(),
    /** `waiting`: turns that were queued when the host ended run when somebody says so (`resume = "ask"`). */
    status: z.enum(["idle", "running", "compacting", "waiting"]),
    /** Tool calls that wait for an answer, oldest first. */
    approvals: z.array(approvalSchema),
    /** Questions of tool calls that wait for an answer, oldest first. */
    questions: z.array(questionSchema),
  }),
);
export type Conversation = z.infer<typeof conversationSchema>;

/** Which conversations: those that are not archived, those that are, or both. */
export const archivedFilterSchema = z.enum(["false", "true", "all"]);
export type ArchivedFilter = z.infer<typeof archivedFilterSchema>;

/** Which conversations: those with that `status`, `busy` ones (running or compacting), or `asking` ones (approvals or questions are open). */
export const statusFilterSchema = z.enum(["idle", "running", "compacting", "waiting", "busy", "asking"]);
export type StatusFilter = z.infer<typeof statusFilterSchema>;
