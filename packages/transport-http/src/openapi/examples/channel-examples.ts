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
  why: "The host stopped before the service answered",
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
    answer: { channels: [channel] },
  },
  listChannelMessages: {
    answer: { messages: [message] },
  },
  retryChannelMessage: {
    answer: { message: waiting },
  },
  sendToChannel: {
    body: { chat: "123456789", text: "The backup of tonight is done." },
    answer: { messages: [waiting] },
  },
  continueInChat: {
    body: { conversationId: conversation.id },
    answer: { messages: [{ ...waiting, text: 'From now on, we continue with "The garden" here.' }] },
  },
  createPairingCode: {
    answer: { pairingCode: { code: "7KQX-M2PD", expiresAt: "2026-11-23T08:10:00.000Z" } },
  },
  listChannelPeople: {
    answer: { people: [person] },
  },
  removeChannelPerson: {
    answer: { deleted: true },
  },
} satisfies RouteExamples;
