import type { ChannelFile, ChannelUpdate } from "@incipit/service-contract";
import { chatIdOf } from "./chat-id.ts";
import {
  messageSchema,
  pressSchema,
  stoppedSchema,
  updateKinds,
  updateSchema,
  type Entity,
  type Message,
  type Place,
  type Said,
  type User,
} from "./update-schema.ts";

export interface BotAccount {
  readonly id: number;
  readonly username: string;
}

export interface ReadUpdate {
  readonly update: ChannelUpdate;
  readonly pressId: string | undefined;
  readonly draftId?: number;
  readonly albumId?: string | undefined;
}

export interface ReadOptions {
  readonly account: BotAccount;
  readonly download: (
    fileId: string,
    options: Parameters<ChannelFile["read"]>[0],
  ) => ReturnType<ChannelFile["read"]>;
}

/** `"unreadable"`: a subscribed kind that does not match Telegram's documentation. */
export function readUpdate(given: unknown, options: ReadOptions): ReadUpdate | "unreadable" | undefined {
  const parsed = updateSchema.safeParse(given);
  if (!parsed.success) return "unreadable";
  const updateId = String(parsed.data.update_id);
  const kind = updateKinds.find((name) => parsed.data[name] !== undefined && parsed.data[name] !== null);
  if (kind === undefined) return undefined;
  const content = parsed.data[kind];
  switch (kind) {
    case "callback_query":
      return readPress(content, updateId);
    case "stopped_message_generation":
      return readStop(content, updateId);
    default: {
      const message = messageSchema.safeParse(content);
      if (!message.success) return "unreadable";
      return readMessage(message.data, { ...options, updateId, isEdited: kind === "edited_message" });
    }
  }
}

export function readMove(given: unknown): { readonly from: string; readonly to: string } | undefined {
  const parsed = messageSchema.safeParse(updateSchema.safeParse(given).data?.["message"]);
  if (!parsed.success) return undefined;
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = parsed.data;
  if (to !== undefined) return { from: String(chat.id), to: String(to) };
  return from === undefined ? undefined : { from: String(from), to: String(chat.id) };
}

function readPress(given: unknown, updateId: string): ReadUpdate | "unreadable" | undefined {
  const parsed = pressSchema.safeParse(given);
  if (!parsed.success) return "unreadable";
  const { id: pressId, from, message: place, data } = parsed.data;
  // A button of a game, or of another bot's message.
  if (place === undefined || data === undefined) return undefined;
  return { update: { updateId, ...whereAndWho(place, senderOf(from)), kind: "press", button: data }, pressId };
}

/** Reads a press on the stop button of a draft, which acts like the command. */
function readStop(given: unknown, updateId: string): ReadUpdate | "unreadable" | undefined {
  const parsed = stoppedSchema.safeParse(given);
  if (!parsed.success) return "unreadable";
  const { chat, message_thread_id: threadId, draft_id: draftId } = parsed.data;
  // Drafts exist only in private chats, whose id is the person's.
  if (chat.type !== "private") return undefined;
  const place = { message_id: 0, chat, message_thread_id: threadId, is_topic_message: threadId !== undefined };
  const who = senderOf({ ...chat, is_bot: false, username: undefined });
  const update = { updateId, ...whereAndWho(place, who), kind: "command", name: "stop", argument: "" } as const;
  return { update, pressId: undefined, draftId };
}

function readMessage(
  said: Message,
  options: ReadOptions & { readonly updateId: string; readonly isEdited: boolean },
): ReadUpdate | undefined {
  const { updateId, isEdited, account } = options;
  const sender = writerOf(said);
  if (sender === undefined) return undefined;
  const base = { updateId, ...whereAndWho(said, sender) };
  const messageId = String(said.message_id);
  const files = filesOf(said, options);
  const command = commandOf(said, account);
  if (command === "of another bot") return undefined;
  // A mistyped command is often corrected by an edit.
  if (command !== undefined && files.length === 0)
    return { update: { ...base, kind: "command", ...command, messageId }, pressId: undefined };
  if (isEdited)
    return { update: { ...base, kind: "edit", messageId, text: writtenText(said) }, pressId: undefined };
  const { text: own, isAddressed } = addressed(said, account);
  const text = own === "" && files.length === 0 ? otherContent(said) : own;
  if (textOf(said) === "" && text === "" && files.length === 0) return undefined;
  const { quote, reply_to_message: answered } = said;
  const quoted = quote === undefined ? contentOf(answered) : linkedText(quote.text, quote.entities);
  const more = { files, isAddressed, quoted: quoted === "" ? undefined : quoted };
  const update = { ...base, kind: "message", messageId, text, ...more } as const;
  return { update, pressId: undefined, albumId: said.media_group_id };
}

/**
 * Bots are ignored, as two bots could answer each other forever. Anonymous administrators write as the group and
 * others may write as a channel; these are identified by that chat's id.
 */
function writerOf({
  from,
  sender_chat: as,
  author_signature: signature,
  is_automatic_forward: isForward,
}: Message): ChannelUpdate["sender"] | undefined {
  if (from === undefined || isForward === true) return undefined;
  if (as !== undefined) return { id: String(as.id), name: signature ?? as.title ?? String(as.id) };
  return from.is_bot ? undefined : senderOf(from);
}

function senderOf(from: User): ChannelUpdate["sender"] {
  return { id: String(from.id), name: nameOf(from) || (from.username ?? String(from.id)) };
}

export function joinedAlbum(parts: readonly [ChannelUpdate, ...ChannelUpdate[]]): ChannelUpdate {
  const messages = parts
    .filter((part) => part.kind === "message")
    .toSorted((a, b) => Number(a.messageId) - Number(b.messageId));
  const [first, ...rest] = messages;
  if (first === undefined) return parts[0];
  const said = messages.find(({ text }) => text !== "") ?? first;
  return {
    ...first,
    messageId: said.messageId,
    // Some clients repeat the caption on each file.
    text: [...new Set(messages.map(({ text }) => text).filter((text) => text !== ""))].join("\n\n"),
    quoted: messages.find(({ quoted }) => quoted !== undefined)?.quoted,
    isAddressed: messages.some(({ isAddressed }) => isAddressed),
    others: rest.map(({ updateId, files }) => ({ updateId, files })),
  };
}

function whereAndWho(
  { chat, message_thread_id: threadId, is_topic_message: isTopic }: Place,
  sender: ChannelUpdate["sender"],
): Pick<ChannelUpdate, "chat" | "sender"> {
  const title = chat.title ?? nameOf(chat);
  return {
    chat: {
      // Outside of topics, a thread is only a chain of replies.
      id: chatIdOf({ chatId: chat.id, threadId: isTopic === true ? threadId : undefined }),
      kind: chat.type === "private" ? "private" : "group",
      title: title === "" ? String(chat.id) : title,
    },
    sender,
  };
}

function nameOf({
  first_name: first = "",
  last_name: last = "",
}: {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}): string {
  return `${first} ${last}`.trim();
}

function textOf({ text, caption }: Said): string {
  return text ?? caption ?? "";
}

function entitiesOf({ text, entities, caption_entities: ofCaption }: Said): readonly Entity[] {
  return text === undefined ? ofCaption : entities;
}

function writtenText(said: Said, from = 0): string {
  return linkedText(textOf(said), entitiesOf(said), from);
}

function contentOf(said: Said | undefined): string {
  return said === undefined ? "" : writtenText(said) || otherContent(said);
}

function commandOf(
  said: Said,
  { username }: BotAccount,
): { readonly name: string; readonly argument: string } | "of another bot" | undefined {
  const entity = entitiesOf(said).find(({ type, offset }) => type === "bot_command" && offset === 0);
  if (entity === undefined) return undefined;
  const text = textOf(said);
  const [name = "", bot = username] = text.slice(1, entity.length).split("@");
  if (bot.toLowerCase() !== username.toLowerCase()) return "of another bot";
  return { name: name.toLowerCase(), argument: writtenText(said, entity.length).trim() };
}

function addressed(
  said: Message,
  { id, username }: BotAccount,
): { readonly text: string; readonly isAddressed: boolean } {
  const text = textOf(said);
  const own = `@${username.toLowerCase()}`;
  const mentions = entitiesOf(said).filter(
    ({ type, offset, length, user }) =>
      (type === "mention" && text.slice(offset, offset + length).toLowerCase() === own) ||
      (type === "text_mention" && user?.id === id),
  );
  const first = mentions.find(({ offset }) => text.slice(0, offset).trim() === "");
  return {
    text:
      first === undefined
        ? writtenText(said)
        : writtenText(said, first.offset + first.length).replace(/^[\s,:]+/, ""),
    isAddressed: mentions.length > 0 || said.reply_to_message?.from?.id === id,
  };
}

const mediaTypes = {
  photo: "image/jpeg",
  document: "application/octet-stream",
  audio: "audio/mpeg",
  voice: "audio/ogg",
  video: "video/mp4",
  video_note: "video/mp4",
  sticker: "image/webp",
} as const;

function filesOf(said: Said, { download }: ReadOptions): readonly ChannelFile[] {
  const found: ChannelFile[] = [];
  for (const kind of ["document", "audio", "voice", "video", "video_note", "sticker", "photo"] as const) {
    // Photos come in several sizes, the largest last. Animations are also present as documents.
    const file = kind === "photo" ? said.photo.at(-1) : said[kind];
    if (file === undefined) continue;
    found.push({
      name: file.file_name,
      mediaType: file.mime_type ?? mediaTypes[kind],
      sizeBytes: file.file_size,
      read: (options) => download(file.file_id, options),
    });
  }
  return found;
}

/** Matches URLs that are kept as links; others, such as relative ones, mean something else in Markdown. */
const addresses = /^(?:https?|tg|mailto|tel|ftp):/i;

/** Telegram keeps URLs apart from the text, and a model would only see the labels. */
function linkedText(text: string, entities: readonly Entity[], from = 0): string {
  let written = "";
  let at = from;
  const links = entities.filter(({ type, url = "" }) => type === "text_link" && addresses.test(url));
  for (const { offset, length, url = "" } of links.toSorted((a, b) => a.offset - b.offset)) {
    const label = text.slice(offset, offset + length);
    // Skips overlapping entities and entities past the end.
    if (offset < at || label.length < length || label.trim() === "" || isSame(label, url)) continue;
    written += `${text.slice(at, offset)}[${label.replaceAll(/[[\]\\]/g, "\\$&")}](${addressOf(url)})`;
    at = offset + length;
  }
  return `${written}${text.slice(at)}`;
}

function isSame(label: string, url: string): boolean {
  return url.replace(/\/$/, "") === label.replace(/\/$/, "");
}

function addressOf(url: string): string {
  return url.replaceAll(
    /[()<>\s\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

const others = [
  "story",
  "paid_media",
  "game",
  "invoice",
  "giveaway",
  "gift",
  "unique_gift",
  "rich_message",
  "live_photo",
];

function otherContent(said: Said): string {
  const { venue, location, contact, poll, dice, checklist } = said;
  if (venue !== undefined) return line("Place", venue.title, venue.address, pointOf(venue.location));
  if (location !== undefined) return line("Location", pointOf(location));
  if (contact !== undefined)
    return line("Contact", `${contact.first_name ?? ""} ${contact.last_name ?? ""}`, contact.phone_number);
  if (poll !== undefined) return line("Poll", poll.question, ...poll.options.map(({ text }) => text));
  if (checklist !== undefined)
    return line("Checklist", checklist.title, ...checklist.tasks.map(({ text }) => text));
  if (dice !== undefined)
    return line("Dice", dice.emoji, dice.value === undefined ? undefined : String(dice.value));
  const kind = others.find((name) => said[name] !== undefined && said[name] !== null);
  return kind === undefined ? "" : `[${kind.replaceAll("_", " ")}: its content cannot be read here]`;
}

function line(kind: string, ...parts: readonly (string | undefined)[]): string {
  const said = parts.flatMap((part) => (part === undefined || part.trim() === "" ? [] : [part.trim()]));
  return `[${[kind, ...(said.length === 0 ? [] : [said.join("; ")])].join(": ")}]`;
}

function pointOf(point: Said["location"]): string | undefined {
  return point === undefined ? undefined : `${point.latitude}, ${point.longitude}`;
}
