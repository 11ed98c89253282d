import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { unaskedCallSchema } from "../calls/auto-approved-call.ts";
import { commandCallSchema } from "./command-call.ts";
import { messageIdSchema, turnIdSchema } from "../values/ids.ts";
import { pageQuerySchema, type PageQuery } from "../values/page-query.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { cutReasonSchema } from "../model/cut-reason.ts";
import { failureSchema } from "../values/failure.ts";
import { messagePartSchema } from "./message-part.ts";
import { turnStatusSchema } from "./turn-event.ts";

/** Preview of an approved, successful call, such as a unified diff. */
const callPreviewSchema = lazySchema(() =>
  z.object({
    toolCallId: z.string(),
    /** Change as shown for approval, such as a unified diff. */
    preview: z.string(),
  }),
);
export type CallPreview = z.infer<typeof callPreviewSchema>;

/** End of a turn that did not complete or whose reply is truncated. */
export const shortTurnEndSchema = lazySchema(() =>
  z.object({
    status: turnStatusSchema,
    /** Present if `failed`. */
    error: failureSchema.exactOptional(),
    /** Present if `completed` with a truncated reply. */
    cutReason: cutReasonSchema.exactOptional(),
    /** The vendor's explanation, redacted. */
    cutExplanation: z.string().exactOptional(),
  }),
);
export type ShortTurnEnd = z.infer<typeof shortTurnEndSchema>;

/** A message of the user, the model or a tool. System messages are never stored as messages. */
export const messageSchema = lazySchema(() =>
  z.object({
    id: messageIdSchema,
    /** Author: the user, the model (`assistant`), or tools with their results. */
    role: z.enum(["user", "assistant", "tool"]),
    /** Content in order. */
    parts: z.array(messagePartSchema),
    turnId: turnIdSchema,
    /** From 1; each compaction starts a new epoch. */
    epoch: z.int().positive(),
    createdAt: timestampSchema,
    /** Message of the previous epoch that this one repeats because it had no reply. */
    carriedFrom: messageIdSchema.exactOptional(),
    /** PROVIDER/MODEL; only for assistant messages. */
    model: z.string().exactOptional(),
    /** Source command; only for user messages. */
    command: commandCallSchema.exactOptional(),
    /** Calls that ran without approval although their tool requires it; only for tool messages. */
    unaskedCalls: z.array(unaskedCallSchema).exactOptional(),
    /** Changes as shown for approval; only for tool messages. */
    previews: z.array(callPreviewSchema).exactOptional(),
    /** Only on the last message of a turn that did not complete or whose reply is truncated. */
    turnEnd: shortTurnEndSchema.exactOptional(),
  }),
);
export type Message = z.infer<typeof messageSchema>;

export const messagesQuerySchema = lazySchema(() =>
  pageQuerySchema.extend({
    /** Sort order. A cursor must be used with the order that returned it. */
    order: z.enum(["oldest", "newest"]).default("oldest"),
  }),
);
/** Defaults to oldest first. */
export type MessagesQuery = PageQuery & Partial<z.infer<typeof messagesQuerySchema>>;
