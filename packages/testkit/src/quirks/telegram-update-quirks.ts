import type { Reported } from "./reported.ts";

/** To the bot `my_bot` with id 7. */
export interface TelegramUpdateQuirk extends Reported {
  readonly update: object;
  /** `nothing`: without a message from a user. */
  readonly sees: object | "nothing" | "unreadable";
}

const chat = { id: 42, type: "private", first_name: "Ada" };
const group = { id: -100_7, type: "supergroup", title: "Team" };
const from = { id: 42, is_bot: false, first_name: "Ada" };
const base = { message_id: 5, date: 1, chat, from };

const row = (
  id: string,
  message: object,
  sees: TelegramUpdateQuirk["sees"],
  { does, sources = [], ...more }: Pick<Reported, "does"> & Partial<Pick<Reported, "sources">>,
): TelegramUpdateQuirk => ({
  id,
  update: { update_id: 1, message: { ...base, ...message } },
  sees,
  does,
  sources,
  ...more,
});

const link = (offset: number, length: number, url = "https://example.com/a"): object => ({
  type: "text_link",
  offset,
  length,
  url,
});

export const telegramUpdateQuirks: readonly TelegramUpdateQuirk[] = [
  row(
    "link",
    { text: "Read this now", entities: [link(5, 4)] },
    { text: "Read [this](https://example.com/a) now" },
    {
      does: "an address stands behind a word",
      sources: ["cc-connect#1207", "hermes-agent#31071"],
    },
  ),
  row(
    "link-alone",
    { text: "财联社", entities: [link(0, 3)] },
    { text: "[财联社](https://example.com/a)" },
    {
      does: "a message is one link",
      sources: ["hermes-agent#31071"],
    },
  ),
  row(
    "link-behind-emoji",
    { text: "🎉 go", entities: [link(3, 2)] },
    { text: "🎉 [go](https://example.com/a)" },
    {
      does: "an emoji of two units stands in front of a link",
      sources: ["hermes-agent#74769"],
    },
  ),
  row(
    "links-in-a-caption",
    { caption: "a b", caption_entities: [link(2, 1), link(0, 1)], photo: [{ file_id: "f" }] },
    { text: "[a](https://example.com/a) [b](https://example.com/a)" },
    { does: "two links of a caption come in any order", sources: ["dashi-plugin-claude-code#87"] },
  ),
  row(
    "link-with-brackets",
    { text: "a[0]", entities: [link(0, 4, "https://example.com/(a) b")] },
    { text: "[a\\[0\\]](https://example.com/%28a%29%20b)" },
    { does: "label and address have brackets", sources: ["openclaw#128297"] },
  ),
  row(
    "link-that-is-shown",
    { text: "https://example.com/a", entities: [link(0, 21)] },
    { text: "https://example.com/a" },
    {
      does: "the label is the address",
    },
  ),
  row(
    "links-that-overlap",
    { text: "abc", entities: [link(0, 2), link(1, 2), link(2, 9)] },
    { text: "[ab](https://example.com/a)c" },
    { does: "links overlap, and go beyond the end", sources: ["hermes-agent#74769"] },
  ),
  row(
    "link-of-a-script",
    { text: "a", entities: [link(0, 1, "javascript:alert(1)")] },
    { text: "a" },
    {
      does: "the address is a script",
    },
  ),
  row(
    "link-behind-a-mention",
    { chat: group, text: "@my_bot see it", entities: [{ type: "mention", offset: 0, length: 7 }, link(12, 2)] },
    { text: "see [it](https://example.com/a)", isAddressed: true },
    { does: "a link follows the name of the bot" },
  ),
  row(
    "link-of-a-command",
    { text: "/model it", entities: [{ type: "bot_command", offset: 0, length: 6 }, link(7, 2)] },
    { kind: "command", name: "model", argument: "[it](https://example.com/a)" },
    { does: "a link is the argument of a command" },
  ),
  row(
    "link-of-an-answer",
    { text: "a", reply_to_message: { ...base, text: "it", entities: [link(0, 2)] } },
    { quoted: "[it](https://example.com/a)" },
    { does: "the answered message has a link" },
  ),
  row(
    "link-of-a-quote",
    { text: "a", quote: { text: "it", position: 0, entities: [link(0, 2)] } },
    { quoted: "[it](https://example.com/a)" },
    { does: "the quoted part has a link" },
  ),
  row(
    "null-entities",
    { text: "a", entities: null, caption: null, photo: null },
    { text: "a", files: [] },
    {
      does: "parts that say nothing are null",
    },
  ),
  row(
    "wrong-entity",
    { text: "ab", entities: [null, { type: 7 }, link(0, 1)] },
    { text: "[a](https://example.com/a)b" },
    {
      does: "one entity of three can be read",
    },
  ),
  row(
    "wrong-answer",
    { text: "a", reply_to_message: "none", quote: 7 },
    { text: "a", quoted: undefined },
    {
      does: "what is answered is of another type",
    },
  ),
  row(
    "wrong-file",
    { caption: "a", document: { file_id: 7 } },
    { text: "a", files: [] },
    {
      does: "a file has no name that can be asked for",
    },
  ),
  row(
    "null-names",
    { from: { ...from, last_name: null, username: null, is_bot: null }, text: "a" },
    { text: "a" },
    {
      does: "names of a person are null",
    },
  ),
  row(
    "null-thread",
    { message_thread_id: null, is_topic_message: null, text: "a" },
    { chat: { id: "42" } },
    {
      does: "the thread is null",
    },
  ),
  row(
    "anonymous-admin",
    { chat: group, from: { id: 1_087_968_824, is_bot: true, first_name: "Group" }, sender_chat: group, text: "a" },
    { text: "a", sender: { id: "-1007", name: "Team" } },
    { does: "an administrator writes as the group", sources: ["TranscriberBot#28", "ktgbotapi#183", "Himmel#534"] },
  ),
  row(
    "signed-admin",
    {
      chat: group,
      from: { id: 1_087_968_824, is_bot: true, first_name: "Group" },
      sender_chat: group,
      author_signature: "Boss",
      text: "/stop",
      entities: [{ type: "bot_command", offset: 0, length: 5 }],
    },
    { kind: "command", name: "stop", sender: { id: "-1007", name: "Boss" } },
    { does: "an anonymous administrator has a title, and sends a command", sources: ["telegram-bot-api#667"] },
  ),
  row(
    "as-a-channel",
    {
      chat: group,
      from: { id: 136_817_688, is_bot: true, first_name: "Channel" },
      sender_chat: { id: -100_9, type: "channel", title: "News" },
      text: "a",
    },
    { sender: { id: "-1009", name: "News" } },
    { does: "somebody writes as a channel" },
  ),
  row(
    "post-of-the-channel",
    {
      chat: group,
      from: { id: 777_000, is_bot: false, first_name: "Telegram" },
      sender_chat: { id: -100_9, type: "channel", title: "News" },
      is_automatic_forward: true,
      text: "a",
    },
    "nothing",
    { does: "a post of the group's own channel comes by itself", sources: ["tg-spam#330"] },
  ),
  row(
    "location",
    { location: { latitude: 52.5, longitude: 13.4 } },
    { text: "[Location: 52.5, 13.4]" },
    {
      does: "a location",
      sources: ["cc-connect#417", "core#78855"],
    },
  ),
  row(
    "venue",
    {
      location: { latitude: 1, longitude: 2 },
      venue: { location: { latitude: 1, longitude: 2 }, title: "Café", address: "Street 1" },
    },
    { text: "[Place: Café; Street 1; 1, 2]" },
    { does: "a place with a name" },
  ),
  row(
    "contact",
    { contact: { phone_number: "+49", first_name: "Bob" } },
    { text: "[Contact: Bob; +49]" },
    {
      does: "a contact",
    },
  ),
  row(
    "poll",
    { poll: { id: "1", question: "When?", options: [{ text: "Now" }, null, { text: "Later" }] } },
    { text: "[Poll: When?; Now; Later]" },
    { does: "a poll" },
  ),
  row(
    "checklist",
    { checklist: { title: "Buy", tasks: [{ id: 1, text: "Milk" }] } },
    { text: "[Checklist: Buy; Milk]" },
    {
      does: "a checklist",
    },
  ),
  row("dice", { dice: { emoji: "🎲", value: 4 } }, { text: "[Dice: 🎲; 4]" }, { does: "a die" }),
  row(
    "story",
    { story: { id: 1, chat } },
    { text: "[story: its content cannot be read here]" },
    {
      does: "something that a bot cannot read",
    },
  ),
  row(
    "answer-to-a-location",
    { text: "a", reply_to_message: { ...base, location: { latitude: 1, longitude: 2 } } },
    { quoted: "[Location: 1, 2]" },
    { does: "the answered message is a location" },
  ),
  row("joined", { new_chat_members: [from] }, "nothing", { does: "somebody has joined" }),
  row("pinned", { pinned_message: base }, "nothing", { does: "a message was pinned" }),
  row("by-a-bot", { from: { ...from, is_bot: true }, text: "a" }, "nothing", { does: "a bot writes" }),
  row("without-a-chat", { chat: null, text: "a" }, "unreadable", { does: "a message has no chat" }),
  row("without-a-number", { message_id: "5", text: "a" }, "unreadable", { does: "a message has no number" }),
  {
    id: "stop-button",
    does: "somebody presses the button beside what is being written",
    sources: [],
    update: { update_id: 1, stopped_message_generation: { chat, draft_id: 9 } },
    sees: { kind: "command", name: "stop", chat: { id: "42" }, sender: { id: "42", name: "Ada" } },
  },
  {
    id: "press-of-an-old-message",
    does: "a button of a message is pressed that the service has no more",
    sources: [],
    update: {
      update_id: 1,
      callback_query: { id: "1", from, message: { chat, message_id: 5, date: 0 }, data: "x" },
    },
    sees: { kind: "press", button: "x" },
  },
  {
    id: "edited-link",
    does: "an edit has a link",
    sources: [],
    update: { update_id: 1, edited_message: { ...base, text: "it", entities: [link(0, 2)], edit_date: 2 } },
    sees: { kind: "edit", text: "[it](https://example.com/a)" },
  },
];
