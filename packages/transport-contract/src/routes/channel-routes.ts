import {
  channelMessageSchema,
  channelPersonSchema,
  channelSchema,
  continueInChatRequestSchema,
  lazySchema,
  pageQuerySchema,
  pairingCodeSchema,
  sendToChannelRequestSchema,
} from "@incipit/schema";
import * as z from "zod";
import { deletedResponseSchema } from "./deleted-response.ts";
import type { Route } from "./route.ts";

const channelParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the channel. */
    id: z.string(),
  }),
);

const sentToChannelResponseSchema = lazySchema(() =>
  z.object({
    /** Messages to the chat, in order. */
    messages: z.array(channelMessageSchema),
  }),
);

/**
 * Routes of messaging channels. Changes require `admin`: they authorize users, who can run models after the token
 * has ended, and send messages in the operator's name.
 */
export const channelRoutes = {
  /**
   * Lists channels with their connection state and numbers of waiting and unknown messages, including unavailable
   * channels that still have messages.
   */
  listChannels: {
    method: "GET",
    path: "/channels",
    access: "read",
    summary: "The channels of the messaging gateway, with state and pending messages",
    response: lazySchema(() =>
      z.object({
        /** Channels by id. */
        channels: z.array(channelSchema),
      }),
    ),
  },
  /** Lists messages to the chats of a channel, sent or queued. The last 2,000 final ones are stored. */
  listChannelMessages: {
    method: "GET",
    path: "/channels/:id/messages",
    access: "read",
    params: channelParamsSchema,
    summary: "The outgoing messages of a channel, newest first, with their delivery states",
    query: pageQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Messages, newest first. */
        messages: z.array(channelMessageSchema),
        nextCursor: z.string().optional(),
      }),
    ),
  },
  /**
   * Queues the message again in its chat, with a new id. A message that is neither unknown nor failed, or was
   * already retried, returns `MESSAGE_NOT_RETRYABLE`.
   */
  retryChannelMessage: {
    method: "POST",
    path: "/channels/:id/messages/:message/retry",
    access: "admin",
    params: lazySchema(() =>
      z.object({
        /** Id of the channel. */
        id: z.string(),
        /** Id of a message: 12 digits. */
        message: z.string(),
      }),
    ),
    summary: "Resend a message that failed or whose delivery is unknown",
    status: 202,
    response: lazySchema(() => z.object({ message: channelMessageSchema })),
  },
  /**
   * Returns once the text is stored, which survives a restart; it is sent in order. The chat must be known or
   * configured: any other returns `CHAT_UNKNOWN`.
   */
  sendToChannel: {
    method: "POST",
    path: "/channels/:id/send",
    access: "admin",
    params: channelParamsSchema,
    summary: "Send a text to a chat",
    status: 202,
    body: sendToChannelRequestSchema,
    response: sentToChannelResponseSchema,
  },
  /**
   * Continues the conversation with messages from the chat, until a `/new` there; the chat is notified. A
   * conversation with more tools than the chat may use returns `CHAT_TOOLS_EXCEEDED`.
   */
  continueInChat: {
    method: "PUT",
    path: "/channels/:id/chats/:chat/conversation",
    access: "admin",
    params: lazySchema(() =>
      z.object({
        /** Id of the channel. */
        id: z.string(),
        /** Chat id assigned by the service. */
        chat: z.string(),
      }),
    ),
    summary: "Connect a chat to a conversation",
    body: continueInChatRequestSchema,
    response: sentToChannelResponseSchema,
  },
  /**
   * Creates a code for one person, valid for ten minutes: the first to send it to the channel is paired. Returned
   * only once.
   */
  createPairingCode: {
    method: "POST",
    path: "/channels/:id/pairing-codes",
    access: "admin",
    params: channelParamsSchema,
    summary: "Create a pairing code for the first person who sends it to the channel",
    status: 201,
    response: lazySchema(() =>
      z.object({
        /** The code, which is returned only once. */
        pairingCode: pairingCodeSchema,
      }),
    ),
  },
  /** Lists configured and paired people of a channel, by id. */
  listChannelPeople: {
    method: "GET",
    path: "/channels/:id/people",
    access: "read",
    params: channelParamsSchema,
    summary: "The people paired with a channel",
    response: lazySchema(() =>
      z.object({
        /** People by id. */
        people: z.array(channelPersonSchema),
      }),
    ),
  },
  /** Unpairs a person; their conversations remain. A configured person returns `PERSON_CONFIGURED`. */
  removeChannelPerson: {
    method: "DELETE",
    path: "/channels/:id/people/:person",
    access: "admin",
    params: lazySchema(() =>
      z.object({
        /** Id of the channel. */
        id: z.string(),
        /** Id of a person, assigned by the service. */
        person: z.string(),
      }),
    ),
    summary: "Unpair a person from a channel",
    response: deletedResponseSchema,
  },
} as const satisfies Record<string, Route>;
