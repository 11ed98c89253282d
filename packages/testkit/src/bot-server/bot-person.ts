import { BotRefusal } from "./bot-refusal.ts";
import type { BotEntity } from "./bot-text.ts";
import type { BotContent, BotMessage, BotPlace, BotUser } from "./bot-world.ts";
import type { BotDraft, BotState } from "./answer-bot-call.ts";

/** `name` only for documents. */
export interface SentFile {
  readonly kind: "photo" | "document" | "audio" | "voice" | "video";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name?: string;
  readonly mediaType?: string;
  readonly caption?: string;
  /** Files with the same value form an album. */
  readonly album?: string;
}

export interface BotPress {
  readonly answer: string | undefined;
}

export class BotSeat {
  readonly user: BotUser;
  readonly #state: BotState;
  readonly #place: BotPlace;

  constructor(user: BotUser, place: BotPlace, state: BotState) {
    this.user = user;
    this.#place = place;
    this.#state = state;
  }

  get chatId(): number {
    return this.#place.chat.id;
  }

  get messages(): readonly BotMessage[] {
    const { threadId } = this.#place;
    return this.#state.world
      .messages(this.chatId)
      .filter(({ message_thread_id: id }) => threadId === undefined || id === threadId);
  }

  get replies(): readonly BotMessage[] {
    return this.messages.filter(({ from }) => from.id === this.#state.world.bot.id);
  }

  says(text: string, options: { readonly replyTo?: BotMessage } = {}): BotMessage {
    const entities = writtenEntities(text);
    return this.#add({ text, ...(entities.length === 0 ? {} : { entities }), ...replyOf(options.replyTo) });
  }

  sends({ kind, bytes, name, mediaType, caption, album }: SentFile): BotMessage {
    const { world } = this.#state;
    const named = {
      ...(name === undefined ? {} : { file_name: name }),
      ...(mediaType === undefined ? {} : { mime_type: mediaType }),
    };
    const said = {
      ...(caption === undefined ? {} : { caption, caption_entities: writtenEntities(caption) }),
      ...(album === undefined ? {} : { media_group_id: album }),
    };
    if (kind !== "photo") return this.#add({ [kind]: world.keepFile(bytes, named), ...said });
    // Like the service.
    const small = world.keepFile(bytes.slice(0, 1), { width: 9, height: 9 });
    return this.#add({ photo: [small, world.keepFile(bytes, { width: 90, height: 90 })], ...said });
  }

  edits(message: BotMessage, text: string): BotMessage {
    const { world, queue } = this.#state;
    const edited = world.replace(message, { ...message, text, entities: writtenEntities(text) });
    queue.add({ edited_message: edited });
    return edited;
  }

  deletes(message: BotMessage): void {
    this.#state.world.remove(message);
  }

  /** Presses the newest button with this label. @throws without one. */
  presses(label: string): BotPress {
    const { world, queue, presses } = this.#state;
    for (const message of this.replies.toReversed()) {
      const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label);
      if (button?.callback_data === undefined) continue;
      const id = String(world.nextNumber());
      const press: { answer: string | undefined } = { answer: undefined };
      presses.set(id, press);
      const { callback_data: data } = button;
      queue.add({ callback_query: { id, from: this.user, message, chat_instance: String(this.chatId), data } });
      return press;
    }
    throw new Error(`There is no button "${label}" in the chat ${this.chatId}`);
  }

  /** @throws without a stop button. */
  stops(draft: BotDraft): void {
    if (!draft.canStop || draft.chatId !== this.chatId)
      throw new Error(`No button stops the draft ${draft.draftId}`);
    this.#state.queue.add({ stopped_message_generation: { chat: this.#place.chat, draft_id: draft.draftId } });
  }

  /** Upgrades a group; the old and the new group each send an update. */
  becomes(group: BotPlace): void {
    const { world, queue } = this.#state;
    const after = group.chat.id;
    queue.add({ message: world.add(this.#place, this.user, { migrate_to_chat_id: after }) });
    queue.add({ message: world.add(group, this.user, { migrate_from_chat_id: this.chatId }) });
  }

  /** Blocks the bot or, in a group, removes it. */
  blocks(): void {
    const why =
      this.#place.chat.type === "private" ? "bot was blocked by the user" : "bot was kicked from the group chat";
    this.#state.world.close(this.chatId, new BotRefusal(403, `Forbidden: ${why}`));
  }

  unblocks(): void {
    this.#state.world.close(this.chatId, undefined);
  }

  #add(content: BotContent): BotMessage {
    const message = this.#state.world.add(this.#place, this.user, content);
    this.#state.queue.add({ message });
    return message;
  }
}

export class BotPerson extends BotSeat {
  readonly #state: BotState;

  constructor(user: BotUser, state: BotState) {
    const { id, first_name: name, username } = user;
    const chat = {
      id,
      type: "private",
      first_name: name,
      ...(username === undefined ? {} : { username }),
    } as const;
    state.world.open(chat);
    super(user, { chat, threadId: undefined }, state);
    this.#state = state;
  }

  in(place: BotPlace): BotSeat {
    return new BotSeat(this.user, place, this.#state);
  }
}

function replyOf(message: BotMessage | undefined): Pick<BotMessage, "reply_to_message"> {
  if (message === undefined) return {};
  const { reply_to_message: _deeper, ...answered } = message;
  return { reply_to_message: answered };
}

/** Returns the entities that the service detects in plain text. */
function writtenEntities(text: string): readonly BotEntity[] {
  const found: BotEntity[] = [];
  for (const match of text.matchAll(/(?<=^|\s)(?:\/\w{1,64}(?:@\w+)?|@\w{4,32})(?=\W|$)(?![/@<>])/g))
    found.push({
      type: match[0].startsWith("/") ? "bot_command" : "mention",
      offset: match.index,
      length: match[0].length,
    });
  return found;
}
