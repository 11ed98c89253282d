import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { unaskedCallSchema } from "../calls/unasked-call.ts";
import { commandCallSchema } from "./command-call.ts";
import { messageIdSchema, turnIdSchema } from "../values/ids.ts";
import { pageQuerySchema, type PageQuery } from "../values/page-query.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { cutReasonSchema } from "../model/cut-reason.ts";
import { failureSchema } from "../values/failure.ts";
import { messagePartSchema } from "./message-part.ts";
import { turnStatusSchema } from "./turn-event.ts";

/** The preview of a call that a person allowed and that did not fail, such as a unified diff. */
const callPreviewSchema = lazySchema(() => z.object({ toolCallId: z.string(), preview: z.string() }));
export type CallPreview = z.infer<typeof callPreviewSchema>;

/** How a turn ended that was not completed, or whose reply is not whole. */
export const shortTurnEndSchema = lazySchema(() =>
  z.object({
    status: turnStatusSchema,
    /** Why; there is one where it is `failed`. */
    error: failureSchema.exactOptional(),
    /** Why its reply is not whole; there is one where it is `completed`. */
    cutReason: cutReasonSchema.exactOptional(),
    /** The vendor's explanation; secrets are redacted. Absent: it gave none. */
    cutExplanation: z.string().exactOptional(),
  }),
);
export type ShortTurnEnd = z.infer<typeof shortTurnEndSchema>;

/** System text is never a message: there is no such role. */
export const messageSchema = lazySchema(() =>
  z.object({
    id: messageIdSchema,
    role: z.enum(["user", "assistant", "tool"]),
    parts: z.array(messagePartSchema),
    turnId: turnIdSchema,
    /** Counts from 1; each compaction begins the next. */
    epoch: z.int().positive(),
    createdAt: timestampSchema,
    /** The message of the epoch before that it repeats, for it had not been answered yet. */
    carriedFrom: messageIdSchema.exactOptional(),
    /** PROVIDER/MODEL that said it; only an assistant's message has one. */
    model: z.string().exactOptional(),
    /** The command that it was made from; only a user's message has one. */
    command: commandCallSchema.exactOptional(),
    /** Calls whose results it has, and which ran without a question; only a tool's message has them. */
    unaskedCalls: z.array(unaskedCallSchema).exactOptional(),
    /** What calls changed, as their questions showed it; only a tool's message has them. */
    previews: z.array(callPreviewSchema).exactOptional(),
    /** How its turn ended; only the newest message of a turn that was not completed, or whose reply is not whole, has one. */
    turnEnd: shortTurnEndSchema.exactOptional(),
  }),
);
export type Message = z.infer<typeof messageSchema>;

export const messagesQuerySchema = lazySchema(() =>
  pageQuerySchema.extend({
    /** Which come first; a cursor goes on in the order in which it was given. */
    order: z.enum(["oldest", "newest"]).default("oldest"),
  }),
);
/** Without an order: the oldest first. */
export type MessagesQuery = PageQuery & Partial<z.infer<typeof messagesQuerySchema>>;
