import type { BotEntity } from "./bot-text.ts";
import { badRequest, type BotRefusal } from "./bot-refusal.ts";

export interface BotUser {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string;
}

export interface BotChat {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup";
  readonly title?: string;
  readonly first_name?: string;
  readonly username?: string;
  readonly is_forum?: true;
}

export interface BotFile {
  readonly file_id: string;
  readonly file_unique_id: string;
  readonly file_size: number;
  readonly file_name?: string;
  readonly mime_type?: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
}

interface BotButton {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
}

export interface BotMessage {
  readonly message_id: number;
  readonly date: number;
  readonly edit_date?: number;
  readonly chat: BotChat;
  readonly from: BotUser;
  readonly message_thread_id?: number;
  readonly is_topic_message?: true;
  readonly reply_to_message?: BotMessage;
  readonly text?: string;
  readonly entities?: readonly BotEntity[];
  readonly caption?: string;
  readonly caption_entities?: readonly BotEntity[];
  readonly media_group_id?: string;
  readonly migrate_to_chat_id?: number;
  readonly migrate_from_chat_id?: number;
  readonly photo?: readonly BotFile[];
  readonly document?: BotFile;
  readonly audio?: BotFile;
  readonly voice?: BotFile;
  readonly video?: BotFile;
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly BotButton[])[] };
}

export type BotContent = Omit<
  BotMessage,
  "message_id" | "date" | "chat" | "from" | "message_thread_id" | "is_topic_message"
>;

export interface BotPlace {
  readonly chat: BotChat;
  readonly threadId: number | undefined;
}

interface Room {
  readonly chat: BotChat;
  readonly topics: Set<number>;
  readonly messages: BotMessage[];
  refusal: BotRefusal | undefined;
}

export class BotWorld {
  readonly bot: BotUser;
  readonly #rooms = new Map<number, Room>();
  readonly #files = new Map<string, { readonly file: BotFile; readonly bytes: Uint8Array<ArrayBuffer> }>();
  #lastNumber = 1_000;

  constructor(bot: BotUser) {
    this.bot = bot;
  }

  nextNumber(): number {
    return (this.#lastNumber += 1);
  }

  open(chat: BotChat): void {
    if (!this.#rooms.has(chat.id))
      this.#rooms.set(chat.id, { chat, topics: new Set(), messages: [], refusal: undefined });
  }

  openTopic(chatId: number): number {
    const threadId = this.nextNumber();
    this.#room(chatId).topics.add(threadId);
    return threadId;
  }

  /** `undefined` allows messages again. */
  close(chatId: number, refusal: BotRefusal | undefined): void {
    this.#room(chatId).refusal = refusal;
  }

  messages(chatId: number): readonly BotMessage[] {
    return this.#rooms.get(chatId)?.messages ?? [];
  }

  allMessages(): readonly BotMessage[] {
    return [...this.#rooms.values()].flatMap(({ messages }) => messages);
  }

  /** @throws {BotRefusal} when the bot may not write there, or the chat does not exist. */
  placeFor(chatId: unknown, threadId: unknown): BotPlace {
    const room = typeof chatId === "number" ? this.#rooms.get(chatId) : undefined;
    if (room === undefined) throw badRequest("chat not found");
    if (room.refusal !== undefined) throw room.refusal;
    if (threadId === undefined) return { chat: room.chat, threadId: undefined };
    if (typeof threadId !== "number" || !room.topics.has(threadId)) throw badRequest("message thread not found");
    return { chat: room.chat, threadId };
  }

  add({ chat, threadId }: BotPlace, from: BotUser, content: BotContent): BotMessage {
    const message: BotMessage = {
      message_id: this.nextNumber(),
      date: Math.floor(Date.now() / 1_000),
      chat,
      from,
      ...(threadId === undefined ? {} : { message_thread_id: threadId, is_topic_message: true }),
      ...content,
    };
    this.#room(chat.id).messages.push(message);
    return message;
  }

  message(chatId: number, messageId: unknown): BotMessage {
    const found = this.messages(chatId).find(({ message_id: id }) => id === messageId);
    if (found === undefined) throw badRequest("message to edit not found");
    return found;
  }

  replace(before: BotMessage, after: BotMessage): BotMessage {
    const edited = { ...after, edit_date: Math.floor(Date.now() / 1_000) };
    const { messages } = this.#room(before.chat.id);
    messages.splice(messages.indexOf(before), 1, edited);
    return edited;
  }

  remove({ chat, message_id: id }: BotMessage): void {
    const { messages } = this.#room(chat.id);
    messages.splice(
      messages.findIndex((message) => message.message_id === id),
      1,
    );
  }

  keepFile(bytes: Uint8Array<ArrayBuffer>, described: Partial<BotFile>): BotFile {
    const id = `file-${this.nextNumber()}`;
    const file = { file_id: id, file_unique_id: `unique-${id}`, file_size: bytes.byteLength, ...described };
    this.#files.set(id, { file, bytes });
    return file;
  }

  file(id: unknown): { readonly file: BotFile; readonly bytes: Uint8Array<ArrayBuffer> } | undefined {
    return typeof id === "string" ? this.#files.get(id) : undefined;
  }

  #room(chatId: number): Room {
    const room = this.#rooms.get(chatId);
    if (room === undefined) throw new Error(`The bot server of this test has no chat ${chatId}`);
    return room;
  }
}
