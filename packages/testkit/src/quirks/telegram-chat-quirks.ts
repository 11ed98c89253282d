import type { Reported } from "./reported.ts";

/** Rejections, and the expected delivery. */
export interface TelegramSendQuirk extends Reported {
  /** `/77` is a topic. */
  readonly topic?: string;
  /** Absent for text. */
  readonly file?: "image/png" | "text/plain";
  readonly replyTo?: string;
  /** First calls; `isMigrated` includes the id of the supergroup that replaces the chat. */
  readonly refusals: readonly {
    readonly method: string;
    readonly description: string;
    readonly isMigrated?: true;
  }[];
}

/** By the captions of its pictures. */
export interface TelegramAlbumQuirk extends Reported {
  readonly captions: readonly (string | null)[];
  readonly text: string;
}

const gone = "Bad Request: message thread not found";
const sends = (
  id: string,
  refusals: TelegramSendQuirk["refusals"],
  {
    does,
    sources = [],
    ...more
  }: Omit<TelegramSendQuirk, "id" | "sources" | "refusals"> & Partial<Pick<TelegramSendQuirk, "sources">>,
): TelegramSendQuirk => ({ id, refusals, does, sources, ...more });

export const telegramSendQuirks: readonly TelegramSendQuirk[] = [
  sends("topic-that-is-gone", [{ method: "sendMessage", description: gone }], {
    does: "a topic was switched off after a message had come from it",
    sources: ["openclaw#79408", "openclaw#11620"],
    topic: "/77",
  }),
  sends("picture-for-a-topic-that-is-gone", [{ method: "sendPhoto", description: gone }], {
    does: "a picture goes to a topic that was switched off",
    sources: ["openclaw#11620"],
    topic: "/77",
    file: "image/png",
  }),
  sends("general-topic", [{ method: "sendMessage", description: gone }], {
    does: "the general topic of a chat does not take its own number",
    sources: ["openclaw#14383"],
    topic: "/1",
  }),
  sends("topic-of-a-chat-without-topics", [{ method: "sendMessage", description: gone }], {
    does: "a chat without topics gave a number for one",
    sources: ["openclaw#13566"],
    topic: "/41234",
    replyTo: "5",
  }),
  sends("topic-of-another-chat", [{ method: "sendMessage", description: gone }], {
    does: "the number of a topic is that of another chat",
    sources: ["grammyjs/grammY#822"],
    topic: "/822",
  }),
  sends("topic-that-is-closed", [{ method: "sendMessage", description: "Bad Request: TOPIC_CLOSED" }], {
    does: "a topic was closed",
    topic: "/77",
  }),
  sends("answered-message-is-gone", [], {
    does: "the message that is answered was deleted",
    sources: ["openclaw#52524"],
    replyTo: "999999",
  }),
  sends(
    "upgraded-group",
    [
      {
        method: "sendMessage",
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        isMigrated: true,
      },
    ],
    { does: "a group has become a supergroup", sources: ["openclaw#906", "openclaw#74694"] },
  ),
  sends(
    "upgraded-group-and-a-file",
    [
      {
        method: "sendDocument",
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        isMigrated: true,
      },
    ],
    { does: "a file goes to a group that has become a supergroup", sources: ["openclaw#906"], file: "text/plain" },
  ),
  sends("odd-entities", [{ method: "sendMessage", description: "Bad Request: can't parse entities" }], {
    does: "the service does not take the form of a text",
  }),
];

export const telegramAlbumQuirks: readonly TelegramAlbumQuirk[] = [
  {
    id: "caption-of-each",
    does: "two pictures of three have a caption",
    sources: ["openclaw#110690", "openclaw#116827"],
    captions: ["before", null, "after"],
    text: "before\n\nafter",
  },
  {
    id: "one-caption",
    does: "the updates of an album come one after the other",
    sources: ["openclaw#115325"],
    captions: ["compare them", null],
    text: "compare them",
  },
  {
    id: "no-caption",
    does: "no picture of an album has a caption",
    sources: ["openclaw#96846"],
    captions: [null, null, null, null, null],
    text: "",
  },
  {
    id: "same-captions",
    does: "each picture has the same caption",
    sources: [],
    captions: ["a", "a"],
    text: "a",
  },
];
