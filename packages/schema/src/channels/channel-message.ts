import * as z from "zod";
import { conversationIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** The place of a message in its channel: 12 digits. */
export const channelMessageIdSchema = z.string().regex(/^\d{12}$/, "must be the id of a message: 12 digits");

/**
 * `waiting`: it is sent as soon as it can be. `sending`: it is on its way. `failed`: the service did not take it. `unknown`: it
 * was on its way when the host, or the connection, ended; it may have come. Nothing that is over is sent again by itself.
 */
const channelMessageStateSchema = z.enum(["waiting", "sending", "sent", "failed", "unknown"]);
export type ChannelMessageState = z.infer<typeof channelMessageStateSchema>;

/** One message that the host has for a chat. */
export const channelMessageSchema = lazySchema(() =>
  z.object({
    id: channelMessageIdSchema,
    /** The service's id of the chat. */
    chat: z.string(),
    /** `file`: `text` is its name. */
    kind: z.enum(["text", "file"]),
    text: z.string(),
    state: channelMessageStateSchema,
    /** Why it was not sent, or not yet. */
    why: z.string().nullable(),
    createdAt: timestampSchema,
    /** `null`: it is not over. */
    endedAt: timestampSchema.nullable(),
    /** How often it was given to the service. */
    attempts: z.int().nonnegative(),
    /** The message that a person had sent in its place. */
    retriedAs: channelMessageIdSchema.nullable(),
  }),
);
export type ChannelMessageView = z.infer<typeof channelMessageSchema>;

/** Sends a text to a chat. */
export const sendToChannelRequestSchema = lazySchema(() =>
  z.strictObject({
    /** The service's id of a chat that was written in, or of a person or group of the configuration. */
    chat: z.string().min(1).max(256),
    /** Markdown; a long one becomes several messages. */
    text: z
      .string()
      .max(100_000, "must have at most 100,000 characters")
      .refine((text) => text.trim() !== "", "must have more than white space"),
  }),
);
export type SendToChannelRequest = z.infer<typeof sendToChannelRequestSchema>;

/** Lets the people of a chat go on with a conversation. */
export const continueInChatRequestSchema = lazySchema(() =>
  z.strictObject({ conversationId: conversationIdSchema }),
);
export type ContinueInChatRequest = z.infer<typeof continueInChatRequestSchema>;
