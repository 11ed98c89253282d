import type { ChannelMessageState, ChannelView } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { count } = amounts;

export const channelWords = {
  title: "Channels",
  intro:
    "Services on which people write to models of this host, who may, and what they were sent. Their conversations are in the list as any other.",
  none: "There is no channel. With these lines in the configuration, and a token from @BotFather in the variable, people can write on Telegram:",
  lines: '[channels.telegram]\nenabled = true\ntoken_env = "TELEGRAM_BOT_TOKEN"',
  states: {
    off: "Off: what connects it is not loaded",
    starting: "Starts",
    up: "Up",
    down: "Down; the host tries again by itself",
  } satisfies Record<ChannelView["state"], string>,
  state: "State",
  since: "Since",
  account: "People write to",
  why: "Why",
  waiting: "To be sent",
  unknown: "Not known whether they came",
  messages: (messages: number) => (messages === 1 ? "1 message" : `${count(messages)} messages`),
  people: "Who may talk",
  nobody: "Nobody yet.",
  configured: "from the configuration",
  pairedAt: (time: string) => `let in ${time}`,
  remove: (name: string) => `Remove ${name}…`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    "They may not talk any more. Their conversations stay, and you can let them in again with a new code.",
  removeAgree: "Remove them",
  removed: (name: string) => `${name} may not talk any more.`,
  pair: "Let somebody in",
  code: "Code",
  codeText: (time: string) =>
    `Whoever sends this to the bot first may talk from then on. It is for one person, until ${time}, and is shown this once.`,
  failed: "Not sent",
  outbox: "What was sent",
  nothingSent: "Nothing was sent yet.",
  messageStates: {
    waiting: "Waits",
    sending: "On its way",
    sent: "Sent",
    failed: "Not sent",
    unknown: "May have come",
  } satisfies Record<ChannelMessageState, string>,
  to: (chat: string) => `to ${chat}`,
  file: (name: string) => `The file ${name}`,
  tries: (tries: number) => `${count(tries)} tries`,
  retried: "A person had it sent again.",
  retry: "Send it again",
  retriedNow: "It is sent again.",
} as const;
