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

const channelParamsSchema = lazySchema(() => z.object({ id: z.string() }));

export const channelsResponseSchema = lazySchema(() => z.object({ channels: z.array(channelSchema) }));
export const channelMessagesResponseSchema = lazySchema(() =>
  z.object({ messages: z.array(channelMessageSchema), nextCursor: z.string().optional() }),
);
export const channelMessageResponseSchema = lazySchema(() => z.object({ message: channelMessageSchema }));
export const sentToChannelResponseSchema = lazySchema(() => z.object({ messages: z.array(channelMessageSchema) }));
export const pairingCodeResponseSchema = lazySchema(() => z.object({ pairingCode: pairingCodeSchema }));
export const channelPeopleResponseSchema = lazySchema(() => z.object({ people: z.array(channelPersonSchema) }));

/**
 * Routes of messaging channels. Changes require `admin`: they authorize users, who can run models after the token
 * has ended, and send messages in the operator's name.
 */
export const channelRoutes = {
  listChannels: {
    method: "GET",
    path: "/channels",
    access: "read",
    summary: "The channels on which people write, how each is, and what it has not sent",
    status: 200,
    response: channelsResponseSchema,
  },
  listChannelMessages: {
    method: "GET",
    path: "/channels/:id/messages",
    access: "read",
    params: channelParamsSchema,
    summary: "What the host has for the chats of a channel, newest first, and what became of it",
    status: 200,
    query: pageQuerySchema,
    response: channelMessagesResponseSchema,
  },
  retryChannelMessage: {
    method: "POST",
    path: "/channels/:id/messages/:message/retry",
    access: "admin",
    params: lazySchema(() => z.object({ id: z.string(), message: z.string() })),
    summary: "Send a message again that failed, or of which nobody knows whether it came",
    status: 202,
    response: channelMessageResponseSchema,
  },
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
  continueInChat: {
    method: "PUT",
    path: "/channels/:id/chats/:chat/conversation",
    access: "admin",
    params: lazySchema(() => z.object({ id: z.string(), chat: z.string() })),
    summary: "Let the people of a chat go on with a conversation",
    status: 200,
    body: continueInChatRequestSchema,
    response: sentToChannelResponseSchema,
  },
  createPairingCode: {
    method: "POST",
    path: "/channels/:id/pairing-codes",
    access: "admin",
    params: channelParamsSchema,
    summary: "Make a code that lets in whoever sends it to the channel first",
    status: 201,
    response: pairingCodeResponseSchema,
  },
  listChannelPeople: {
    method: "GET",
    path: "/channels/:id/people",
    access: "read",
    params: channelParamsSchema,
    summary: "Who may talk on a channel",
    status: 200,
    response: channelPeopleResponseSchema,
  },
  removeChannelPerson: {
    method: "DELETE",
    path: "/channels/:id/people/:person",
    access: "admin",
    params: lazySchema(() => z.object({ id: z.string(), person: z.string() })),
    summary: "Let somebody talk no longer who was let in by a code",
    status: 200,
    response: deletedResponseSchema,
  },
} as const satisfies Record<string, Route>;
