import type { Reported } from "./reported.ts";

/** To the bot with id 7. */
export interface DiscordMessageQuirk extends Reported {
  readonly message: object;
  /** `unreadable` if the message deviates from Discord's API. */
  readonly sees: object | "unreadable";
}

const author = { id: "42", username: "ada", global_name: "Ada" };
const base = { id: "5", channel_id: "9", author, type: 0, content: "" };

const row = (
  id: string,
  fields: object,
  sees: DiscordMessageQuirk["sees"],
  { does, sources = [], ...more }: Pick<Reported, "does"> & Partial<Pick<Reported, "sources">>,
): DiscordMessageQuirk => ({ id, message: { ...base, ...fields }, sees, does, sources, ...more });

const file = { id: "1", filename: "a.png", url: "https://cdn.discordapp.com/a.png" };

export const discordMessageQuirks: readonly DiscordMessageQuirk[] = [
  row(
    "sticker",
    { sticker_items: [{ id: "1", name: "Wave", format_type: 1 }] },
    { text: "[Sticker: Wave]" },
    {
      does: "a sticker alone",
      sources: ["happyclaw#693", "memo#17"],
    },
  ),
  row(
    "text-and-sticker",
    { content: "Hi", sticker_items: [{ name: "Wave" }] },
    { text: "Hi\n[Sticker: Wave]" },
    {
      does: "a sticker beside text",
    },
  ),
  row(
    "poll",
    { poll: { question: { text: "When?" }, answers: [{ poll_media: { text: "Now" } }, null] } },
    { text: "[Poll: When?; Now]" },
    { does: "a poll" },
  ),
  row(
    "forward",
    { message_snapshots: [{ message: { content: "words", attachments: [file] } }] },
    { text: "words" },
    {
      does: "a forwarded message has its words in a copy",
      sources: ["claudeclaw#193", "nanoclaw#2922", "hermes-agent#25486", "discordjs/discord.js#10872"],
    },
  ),
  row(
    "forwarded-card",
    {
      message_reference: { type: 1 },
      message_snapshots: [
        {
          message: {
            content: "",
            embeds: [
              {
                title: "Report",
                url: "https://example.com/1",
                description: "It is slow",
                fields: [{ name: "Page", value: "Home" }],
                footer: null,
              },
            ],
          },
        },
      ],
    },
    { text: "[Report](https://example.com/1)\nIt is slow\nPage: Home" },
    {
      does: "a card is forwarded",
      sources: ["discordjs/discord.js#10872", "HybridAIOne/hybridclaw#1521"],
    },
  ),
  row(
    "forwarded-link",
    {
      message_snapshots: [
        {
          message: {
            content: "https://example.com/1",
            embeds: [{ type: "link", title: "Report", url: "https://example.com/1", description: null }],
          },
        },
      ],
    },
    { text: "https://example.com/1" },
    { does: "a link with its preview is forwarded" },
  ),
  row(
    "no-content",
    { content: "", attachments: [], embeds: [] },
    { text: "", files: [] },
    {
      does: "the service keeps the text from a bot that may not read it",
      sources: ["discordjs/discord.js#8333"],
    },
  ),
  row(
    "two-forwards",
    { message_snapshots: [{ message: { content: "one" } }, { message: { content: "two", attachments: [file] } }] },
    { text: "one\n\ntwo", files: [{ name: "a.png" }] },
    { does: "two messages are forwarded as one", sources: ["chat#825"] },
  ),
  row(
    "forwarded-sticker",
    { message_snapshots: [{ message: { content: "", sticker_items: [{ name: "Wave" }] } }] },
    { text: "[Sticker: Wave]" },
    { does: "a sticker is forwarded", sources: ["happyclaw#693"] },
  ),
  row(
    "file-alone",
    { attachments: [file] },
    { text: "", files: [{ name: "a.png" }] },
    {
      does: "a file without text",
      sources: ["zeptoclaw#357"],
    },
  ),
  row(
    "null-lists",
    { content: "a", attachments: null, mentions: null, message_snapshots: null },
    { text: "a" },
    {
      does: "lists that say nothing are null",
    },
  ),
  row(
    "null-members",
    { content: "a", guild_id: null, member: null, webhook_id: null, poll: null },
    { text: "a" },
    {
      does: "members that say nothing are null",
    },
  ),
  row(
    "wrong-file",
    { content: "a", attachments: [{ filename: 7 }, file] },
    { files: [{ name: "a.png" }] },
    {
      does: "one file of two can be read",
    },
  ),
  row(
    "wrong-answer",
    { content: "a", referenced_message: { content: "b" } },
    { text: "a", quoted: undefined },
    {
      does: "nobody has written what is answered",
    },
  ),
  row(
    "answered-sticker",
    { content: "a", referenced_message: { author, content: "", sticker_items: [{ name: "Wave" }] } },
    { quoted: "[Sticker: Wave]" },
    { does: "the answered message is a sticker" },
  ),
  row(
    "null-content",
    { content: null, attachments: [file] },
    { text: "", files: [{}] },
    { does: "the text is null" },
  ),
  row(
    "null-names",
    { content: "a", author: { id: "42", username: null } },
    { sender: { id: "42", name: "42" } },
    {
      does: "somebody has no name",
    },
  ),
  row("without-an-author", { author: null }, "unreadable", { does: "nobody has written it" }),
  row("without-a-channel", { channel_id: 9 }, "unreadable", { does: "it is in no channel" }),
];
