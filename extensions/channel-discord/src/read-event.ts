import type { ChannelChat, ChannelFile, ChannelPerson, ChannelUpdate } from "@incipit/service-contract";
import type { DiscordAttachment, DiscordInteraction, DiscordMessage, DiscordSaid, DiscordUser } from "./events.ts";

export interface ReadOptions {
  readonly botId: string;
  readonly chat: ChannelChat;
  readonly download: (url: string, options: Parameters<ChannelFile["read"]>[0]) => ReturnType<ChannelFile["read"]>;
}

/** https://docs.discord.com/developers/resources/message#message-object-message-types */
const writtenTypes: ReadonlySet<number> = new Set([0, 19]);

/** Edits arrive immediately or after a reconnect. */
const oldestEditMs = 24 * 3_600_000;

/** Bots are ignored, as two bots could answer each other forever. */
export function isWritten({ author, webhook_id: webhook, type }: DiscordMessage): boolean {
  return !author.bot && webhook === undefined && writtenTypes.has(type);
}

export function isAddressed({ mentions, referenced_message: answered }: DiscordMessage, botId: string): boolean {
  return mentions.some(({ id }) => id === botId) || answered?.author.id === botId;
}

export function readMessage(message: DiscordMessage, { botId, chat, download }: ReadOptions): ChannelUpdate {
  // The text and files of forwarded messages are in snapshots.
  const all = [withoutPreviews(message), ...message.message_snapshots.map(({ message: copy }) => copy)];
  const content = all
    .map(contentOf)
    .filter((one) => one !== "")
    .join("\n\n");
  const text = withoutName(withNames(content, message, botId), botId);
  const files = all.flatMap(({ attachments }) => attachments).map((attachment) => fileOf(attachment, download));
  const isForBot = isAddressed(message, botId);
  const base = { updateId: message.id, chat, sender: senderOf(message.author, message.member?.nick) };
  const command = files.length === 0 && (isForBot || chat.kind === "private") ? commandIn(text) : undefined;
  if (command !== undefined) return { ...base, kind: "command", ...command, messageId: message.id };
  const answered = message.referenced_message;
  const quoted = answered === undefined ? "" : contentOf(withoutPreviews(answered));
  return {
    ...base,
    kind: "message",
    messageId: message.id,
    text,
    files,
    isAddressed: isForBot,
    quoted: quoted === "" ? undefined : quoted,
  };
}

/**
 * Returns `undefined` for unchanged text: a link preview may be added, or the message pinned, days after its edit,
 * when the host has forgotten that it received the edit.
 */
export function readEdit(
  message: DiscordMessage,
  { botId, chat, nowMs }: Omit<ReadOptions, "download"> & { readonly nowMs: number },
): ChannelUpdate | undefined {
  const editedMs = Date.parse(message.edited_timestamp ?? "");
  if (Number.isNaN(editedMs) || nowMs - editedMs > oldestEditMs) return undefined;
  const text = withoutName(withNames(message.content, message, botId), botId);
  // Edits have no id of their own.
  const updateId = `${message.id}-${editedMs}`;
  const base = { updateId, chat, sender: senderOf(message.author, message.member?.nick) };
  // A mistyped command is often corrected by an edit.
  const isForBot = chat.kind === "private" || isAddressed(message, botId);
  const command = isForBot && message.attachments.length === 0 ? commandIn(text) : undefined;
  if (command !== undefined) return { ...base, kind: "command", ...command, messageId: message.id };
  return { ...base, kind: "edit", messageId: message.id, text };
}

function contentOf({ content, embeds, sticker_items: stickers, poll }: DiscordSaid): string {
  const answers = poll?.answers.map(({ poll_media: { text } }) => text) ?? [];
  const lines = [
    ...embeds.filter((embed) => !isPreview(embed, content)).map(cardOf),
    ...stickers.map(({ name }) => `[Sticker: ${name}]`),
    ...(poll === undefined ? [] : [`[Poll: ${[poll.question.text ?? "", ...answers].join("; ")}]`]),
  ];
  return [content, ...lines].filter((one) => one !== "").join("\n");
}

/** Only bots send cards: those of a person's message are previews of its links. */
function withoutPreviews<Said extends DiscordSaid & { readonly author: DiscordUser }>(said: Said): Said {
  return said.author.bot ? said : { ...said, embeds: [] };
}

/** The address of a preview can differ from the link, to which it adds nothing. */
function isPreview({ type = "rich", url }: DiscordSaid["embeds"][number], content: string): boolean {
  return type !== "rich" || (url !== undefined && content.includes(url));
}

function cardOf({ title = "", url, description = "", fields }: DiscordSaid["embeds"][number]): string {
  const heading = url === undefined || title === "" ? title : `[${title}](${url})`;
  return [heading, description, ...fields.map(({ name, value }) => `${name}: ${value}`)]
    .filter((line) => line !== "")
    .join("\n");
}

export function readInteraction(interaction: DiscordInteraction, chat: ChannelChat): ChannelUpdate | undefined {
  const { id, type, data } = interaction;
  const user = userOf(interaction);
  if (user === undefined) return undefined;
  const base = { updateId: id, chat, sender: senderOf(user, interaction.member?.nick) };
  if (type === 3 && data.custom_id !== undefined) return { ...base, kind: "press", button: data.custom_id };
  if (type !== 2 || data.name === undefined) return undefined;
  const value = data.options[0]?.value;
  return {
    ...base,
    kind: "command",
    name: data.name.toLowerCase(),
    argument: typeof value === "string" ? value.trim() : "",
  };
}

export function userOf({ user, member }: DiscordInteraction): DiscordUser | undefined {
  return member?.user ?? user;
}

function senderOf({ id, username, global_name: name }: DiscordUser, nick?: string | null): ChannelPerson {
  const shown = [nick, name, username].find((one) => one !== undefined && one !== null && one.trim() !== "");
  return { id, name: shown ?? id };
}

function withNames(content: string, { mentions }: DiscordMessage, botId: string): string {
  return content.replaceAll(/<@!?(\d{1,20})>/g, (whole, id) => {
    const user = mentions.find((one) => one.id === id);
    return user === undefined || user.id === botId ? whole : `@${senderOf(user).name}`;
  });
}

function withoutName(text: string, botId: string): string {
  const [name] = /^\s*<@!?\d{1,20}>[\s,:]*/.exec(text) ?? [];
  return name?.includes(botId) === true ? text.slice(name.length) : text;
}

/** Reads a command typed as text, where Discord does not offer commands. */
function commandIn(text: string): { readonly name: string; readonly argument: string } | undefined {
  const [, name, argument = ""] = /^\/([a-z]{1,32})(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), argument: argument.trim() };
}

function fileOf(
  { filename: name, content_type: mediaType, size: sizeBytes, url }: DiscordAttachment,
  download: ReadOptions["download"],
): ChannelFile {
  return {
    name,
    mediaType: mediaType ?? "application/octet-stream",
    sizeBytes,
    read: (options) => download(url, options),
  };
}
