import type { ChannelMessageState, ChannelView } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { count } = amounts;

export const channelWords = {
  title: "Channels",
  intro:
    "Chat services that are connected to this host, the people who are paired with it, and the messages it sent. Their conversations appear in the conversation list.",
  none: "No channels. To use Telegram, add these lines to the configuration and set the variable to a token from @BotFather:",
  lines: '[channels.telegram]\nenabled = true\ntoken_env = "TELEGRAM_BOT_TOKEN"',
  states: {
    off: "Off: its extension is not loaded",
    starting: "Starting",
    up: "Connected",
    down: "Disconnected; the host reconnects automatically",
  } satisfies Record<ChannelView["state"], string>,
  state: "State",
  since: "Since",
  account: "Account",
  why: "Why",
  waiting: "Pending",
  unknown: "Unconfirmed",
  messages: (messages: number) => (messages === 1 ? "1 message" : `${count(messages)} messages`),
  people: "Paired people",
  nobody: "No one yet.",
  configured: "from the configuration",
  pairedAt: (time: string) => `paired ${time}`,
  remove: (name: string) => `Remove ${name}…`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    "The host will ignore their messages. Their conversations are kept, and you can pair them again with a new code.",
  removeAgree: "Remove",
  removed: (name: string) => `${name} was removed.`,
  pair: "Pair a person",
  code: "Code",
  codeText: (time: string) =>
    `The first person who sends this code to the bot is paired. It works once, until ${time}, and is not shown again.`,
  failed: "Not sent",
  outbox: "Sent messages",
  nothingSent: "No messages sent yet.",
  messageStates: {
    waiting: "Queued",
    sending: "Sending",
    sent: "Sent",
    failed: "Not sent",
    unknown: "Delivery unknown",
  } satisfies Record<ChannelMessageState, string>,
  to: (chat: string) => `to ${chat}`,
  file: (name: string) => `The file ${name}`,
  tries: (tries: number) => `${count(tries)} attempts`,
  retried: "Resent by a person.",
  retry: "Resend",
  retriedNow: "Resending.",
} as const;
