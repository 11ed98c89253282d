import type { channelMessageSchema, channelPersonSchema, channelSchema } from "@incipit/schema";
import type * as z from "zod";
import type { RouteExamples } from "./route-example.ts";
import { conversation } from "./shared-values.ts";

const channel: z.input<typeof channelSchema> = {
  id: "telegram",
  state: "up",
  why: null,
  since: "2026-11-23T08:00:00.000Z",
  account: "@adas_helper_bot",
  waiting: 0,
  unknown: 1,
  failed: 0,
};

const message: z.input<typeof channelMessageSchema> = {
  id: "000000000042",
  chat: "123456789",
  kind: "text",
  text: "The backup of tonight is done.",
  state: "unknown",
  why: "The host ended before the service had answered",
  createdAt: "2026-11-23T08:00:00.000Z",
  endedAt: "2026-11-23T08:00:04.100Z",
  attempts: 1,
  retriedAs: null,
};
const waiting: z.input<typeof channelMessageSchema> = {
  ...message,
  id: "000000000043",
  state: "waiting",
  why: null,
  endedAt: null,
  attempts: 0,
};

const person: z.input<typeof channelPersonSchema> = {
  id: "123456789",
  name: "Ada",
  source: "pairing",
  pairedAt: "2026-11-23T07:55:12.000Z",
};

export const channelExamples = {
  listChannels: {
    description:
      "Lists the channels that are there, and those that were and have messages left: whether each is up, and since when, why not, and how many messages wait or are unknown.",
    answer: { channels: [channel] },
  },
  listChannelMessages: {
    description:
      "Shows what was, or is to be, sent to the chats of a channel. The last 2,000 messages that are over are kept.",
    answer: { messages: [message] },
  },
  retryChannelMessage: {
    description:
      "Puts the message behind all that waits for its chat, under an id of its own. What is neither unknown nor failed, or was sent again before, is a `MESSAGE_NOT_RETRYABLE`.",
    answer: { message: waiting },
  },
  sendToChannel: {
    description:
      "Answers once the text is stored, which outlives the host; it is sent in its turn. The chat is one in which somebody who may talk has written, or a person or group of the configuration: any other is a `CHAT_UNKNOWN`.",
    body: { chat: "123456789", text: "The backup of tonight is done." },
    answer: { messages: [waiting] },
  },
  continueInChat: {
    description:
      "What is written in the chat from here on goes to that conversation, until somebody writes `/new` there; the chat is told. One that may use more tools than the configuration lets the chat use is a `CHAT_TOOLS_EXCEEDED`.",
    body: { conversationId: conversation.id },
    answer: { messages: [{ ...waiting, text: 'From here on, we go on with "The garden" here.' }] },
  },
  createPairingCode: {
    description:
      "The code is good for one person and for ten minutes: whoever sends it to the channel first may talk from then on. It is shown this once.",
    answer: { pairingCode: { code: "7KQX-M2PD", expiresAt: "2026-11-23T08:10:00.000Z" } },
  },
  listChannelPeople: {
    description: "Lists those of the configuration and those who were let in by a code, by their ids.",
    answer: { people: [person] },
  },
  removeChannelPerson: {
    description:
      "They may talk no longer; their conversations stay. Who is in the configuration is taken away there: a `PERSON_CONFIGURED`.",
    answer: { deleted: true },
  },
} satisfies RouteExamples;
