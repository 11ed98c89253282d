import type { ChannelFile, ChannelUpdate } from "@incipit/service-contract";
import * as z from "zod";
import { chatIdOf } from "./chat-id.ts";

/** What is read of an update: https://core.telegram.org/bots/api#update. Everything else is passed over. */

const userSchema = z.looseObject({
  id: z.int(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(""),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const chatSchema = z.looseObject({
  id: z.int(),
  type: z.string(),
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
});
const entitySchema = z.looseObject({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  user: userSchema.optional(),
});
const fileSchema = z.looseObject({
  file_id: z.string(),
  file_size: z.int().optional(),
  file_name: z.string().optional(),
  mime_type: z.string().optional(),
});
const placeSchema = z.looseObject({
  message_id: z.int(),
  chat: chatSchema,
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
});
const saidSchema = placeSchema.extend({
  from: userSchema.optional(),
  text: z.string().optional(),
  entities: z.array(entitySchema).optional(),
  caption: z.string().optional(),
  caption_entities: z.array(entitySchema).optional(),
  media_group_id: z.string().optional(),
  photo: z.array(fileSchema).optional(),
  document: fileSchema.optional(),
  audio: fileSchema.optional(),
  voice: fileSchema.optional(),
  video: fileSchema.optional(),
  video_note: fileSchema.optional(),
  animation: fileSchema.optional(),
  sticker: fileSchema.optional(),
});
const messageSchema = saidSchema.extend({
  reply_to_message: saidSchema.optional(),
  quote: z.looseObject({ text: z.string() }).optional(),
});
type Message = z.infer<typeof messageSchema>;
type Said = z.infer<typeof saidSchema>;

const updateSchema = z.looseObject({
  update_id: z.int(),
  message: messageSchema.optional(),
  edited_message: messageSchema.optional(),
  callback_query: z
    .looseObject({ id: z.string(), from: userSchema, message: placeSchema.optional(), data: z.string().optional() })
    .optional(),
});

/** The kinds of updates that are asked for. */
export const updateKinds = ["message", "edited_message", "callback_query"] as const;

/** Who the bot is, as it is told by the service. */
export interface BotAccount {
  readonly id: number;
  readonly username: string;
}

export interface ReadUpdate {
  readonly update: ChannelUpdate;
  /** The press that is to be answered. */
  readonly pressId: string | undefined;
  /** It is a part of what was sent as one: updates of the same chat with the same. */
  readonly albumId?: string | undefined;
}

export interface ReadOptions {
  readonly account: BotAccount;
  readonly download: (
    fileId: string,
    options: Parameters<ChannelFile["read"]>[0],
  ) => ReturnType<ChannelFile["read"]>;
}

/** What an update says; `undefined`: nothing that a person said to the bot, such as that somebody has joined. */
export function readUpdate(given: unknown, options: ReadOptions): ReadUpdate | undefined {
  const parsed = updateSchema.safeParse(given);
  if (!parsed.success) return undefined;
  const { update_id: number, message, edited_message: edited, callback_query: press } = parsed.data;
  const updateId = String(number);
  if (press !== undefined) {
    const { id: pressId, from, message: place, data } = press;
    // Without them it is a button of a game, or of another bot's message.
    if (place === undefined || data === undefined) return undefined;
    return { update: { updateId, ...whereAndWho(place, from), kind: "press", button: data }, pressId };
  }
  const said = message ?? edited;
  // What bots write is left alone: two of them would never come to an end.
  if (said?.from === undefined || said.from.is_bot) return undefined;
  const base = { updateId, ...whereAndWho(said, said.from) };
  const messageId = String(said.message_id);
  const files = filesOf(said, options);
  const command = commandOf(said, options.account);
  if (command === "of another bot") return undefined;
  // One that was mistyped is edited to be understood.
  if (command !== undefined && files.length === 0)
    return { update: { ...base, kind: "command", ...command, messageId }, pressId: undefined };
  if (message === undefined)
    return { update: { ...base, kind: "edit", messageId, text: textOf(said) }, pressId: undefined };
  if (textOf(said) === "" && files.length === 0) return undefined;
  const { text, isAddressed } = addressed(said, options.account);
  const quoted = said.quote?.text ?? textOf(said.reply_to_message);
  const more = { files, isAddressed, quoted: quoted === "" ? undefined : quoted };
  const update = { ...base, kind: "message", messageId, text, ...more } as const;
  return { update, pressId: undefined, albumId: said.media_group_id };
}

/** The parts of an album as one message: what is said is said beside one of them. */
export function joinedAlbum(parts: readonly [ChannelUpdate, ...ChannelUpdate[]]): ChannelUpdate {
  const messages = parts.filter((part) => part.kind === "message");
  const [first, ...rest] = messages;
  if (first === undefined) return parts[0];
  const said = messages.find(({ text }) => text !== "") ?? first;
  return {
    ...first,
    messageId: said.messageId,
    text: said.text,
    isAddressed: messages.some(({ isAddressed }) => isAddressed),
    others: rest.map(({ updateId, files }) => ({ updateId, files })),
  };
}

function whereAndWho(
  { chat, message_thread_id: threadId, is_topic_message: isTopic }: z.infer<typeof placeSchema>,
  from: z.infer<typeof userSchema>,
): Pick<ChannelUpdate, "chat" | "sender"> {
  const title = chat.title ?? nameOf(chat);
  return {
    chat: {
      // Outside of topics a thread is no more than a row of replies.
      id: chatIdOf({ chatId: chat.id, threadId: isTopic === true ? threadId : undefined }),
      kind: chat.type === "private" ? "private" : "group",
      title: title === "" ? String(chat.id) : title,
    },
    sender: { id: String(from.id), name: nameOf(from) || (from.username ?? String(from.id)) },
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

function textOf(said: Said | undefined): string {
  return said?.text ?? said?.caption ?? "";
}

function entitiesOf({
  text,
  entities = [],
  caption_entities: ofCaption = [],
}: Said): NonNullable<Said["entities"]> {
  return text === undefined ? ofCaption : entities;
}

/** `/NAME ARGUMENT` or `/NAME@BOT ARGUMENT` at the beginning. */
function commandOf(
  said: Said,
  { username }: BotAccount,
): { readonly name: string; readonly argument: string } | "of another bot" | undefined {
  const entity = entitiesOf(said).find(({ type, offset }) => type === "bot_command" && offset === 0);
  if (entity === undefined) return undefined;
  const text = textOf(said);
  const [name = "", bot = username] = text.slice(1, entity.length).split("@");
  if (bot.toLowerCase() !== username.toLowerCase()) return "of another bot";
  return { name: name.toLowerCase(), argument: text.slice(entity.length).trim() };
}

/** Whether the bot is meant, and the text without its name where it begins with that. */
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
    text: first === undefined ? text : text.slice(first.offset + first.length).replace(/^[\s,:]+/, ""),
    isAddressed: mentions.length > 0 || said.reply_to_message?.from?.id === id,
  };
}

/** Where the service says no type: what it makes of such files. */
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
    // Of a photo there are several sizes, the last one being the largest. An animation is told as a document, too.
    const file = kind === "photo" ? said.photo?.at(-1) : said[kind];
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
