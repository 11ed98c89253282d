import * as z from "zod";
import { conversationIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** Sequence number of a message in its channel: 12 digits. */
const channelMessageIdSchema = z.string().regex(/^\d{12}$/, "must be the id of a message: 12 digits");

/**
 * `waiting`: queued. `sending`: in flight. `failed`: rejected by the service. `unknown`: in flight when the host or
 * the connection ended; possibly delivered. Final states are not retried automatically.
 */
const channelMessageStateSchema = z.enum(["waiting", "sending", "sent", "failed", "unknown"]);
export type ChannelMessageState = z.infer<typeof channelMessageStateSchema>;

/** An outgoing message for a chat, with its delivery state. */
export const channelMessageSchema = lazySchema(() =>
  z.object({
    id: channelMessageIdSchema,
    /** Chat id assigned by the service. */
    chat: z.string(),
    /** `file`: `text` is the file name. */
    kind: z.enum(["text", "file"]),
    /** Markdown text, or the name of a file. */
    text: z.string(),
    state: channelMessageStateSchema,
    /** Why it failed or is delayed. */
    why: z.string().nullable(),
    createdAt: timestampSchema,
    /** `null` until final. */
    endedAt: timestampSchema.nullable(),
    /** Number of delivery attempts. */
    attempts: z.int().nonnegative(),
    /** Id of the message created by a manual retry. */
    retriedAs: channelMessageIdSchema.nullable(),
  }),
);
export type ChannelMessageView = z.infer<typeof channelMessageSchema>;

/** Sends Markdown to a chat. */
export const sendToChannelRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Id, assigned by the service, of a known chat, or of a configured person or group. */
    chat: z.string().min(1).max(256),
    /** Markdown; split into several messages if too long. */
    text: z
      .string()
      .max(100_000, "must have at most 100,000 characters")
      .refine((text) => text.trim() !== "", "must have more than white space"),
  }),
);
export type SendToChannelRequest = z.infer<typeof sendToChannelRequestSchema>;

/** Switches a chat to an existing conversation. */
export const continueInChatRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Conversation that the chat continues. */
    conversationId: conversationIdSchema,
  }),
);
export type ContinueInChatRequest = z.infer<typeof continueInChatRequestSchema>;
