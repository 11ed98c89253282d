import { errorMessage, type StorageWrite } from "@incipit/kernel";
import { includesAllTools, type ConversationId, type CreateTurnRequest } from "@incipit/schema";
import {
  codeOf,
  isTransient,
  ServiceError,
  type AcknowledgedTurn,
  type ChannelUpdate,
} from "@incipit/service-contract";
import { newChat } from "./new-chat.ts";
import type { ChannelContext } from "./chats-context.ts";
import { Commands, type CommandResult } from "./commands.ts";
import { messageInput, messageText } from "./input.ts";
import { keys } from "./keys.ts";
import type { Outbox } from "./outbox.ts";
import type { People } from "./people.ts";
import type { ApprovalRequests } from "./approval-requests.ts";
import type { Replies } from "./replies.ts";
import { seenWrites } from "./seen.ts";
import {
  storedChatSchema,
  storedNoteSchema,
  storedNothingSchema,
  storedOwedSchema,
  type StoredChat,
  type StoredMessage,
  type StoredOwed,
} from "./stored.ts";
import type { UnpairedSenders } from "./unpaired-senders.ts";
import { oneLineOf, textContents } from "./texts.ts";
import { WrittenCommands, type WrittenMessage } from "./written-commands.ts";

/** Maximum number of messages per chat that await a reply; further ones are refused. */
const maxOwed = 20;
/** Maximum number of notes sent with one message; the others follow with the next one. */
const maxNotes = 20;

type Message = Extract<ChannelUpdate, { kind: "message" }>;
type Command = Extract<ChannelUpdate, { kind: "command" }>;
type Edit = Extract<ChannelUpdate, { kind: "edit" }>;
type Input = CreateTurnRequest["input"];

export interface InboxParts {
  readonly people: People;
  readonly strangers: UnpairedSenders;
  readonly outbox: Outbox;
  readonly replies: Replies;
  readonly questions: ApprovalRequests;
}

/**
 * In order within a chat. An update is marked as received in the commit that stores its effect, so a crash neither
 * loses nor repeats it: a rejected or interrupted update is not marked, and is delivered again.
 */
export class Inbox {
  readonly #context: ChannelContext;
  readonly #parts: InboxParts;
  readonly #chats = new SerialChats();
  readonly #commands: Commands;
  readonly #written: WrittenCommands;

  constructor(context: ChannelContext, parts: InboxParts) {
    this.#context = context;
    this.#parts = parts;
    this.#written = new WrittenCommands(context);
    this.#commands = new Commands(context, this.#written);
  }

  async receive(update: ChannelUpdate): Promise<{ readonly answer?: string }> {
    const { people, strangers, questions } = this.#parts;
    this.#context.signal.throwIfAborted();
    if (update.kind === "press") return { answer: await questions.press(update) };
    if (!people.mayTalk(update)) return strangers.meet(update);
    await this.#chats.run(update.chat.id, () => this.#take(update));
    return {};
  }

  async move({ from, to }: { readonly from: string; readonly to: string }): Promise<void> {
    const { storage, channel, moves } = this.#context;
    if (from === to || moves.idsOf(to).includes(from)) return;
    await this.#chats.run(from, async () => {
      const [before, after] = await Promise.all(
        [from, to].map((id) => storage.get(keys.chat(channel.id, id), storedChatSchema)),
      );
      const chat = after === undefined && before !== undefined ? { ...before, id: to } : undefined;
      await storage.atomic(
        [],
        [
          { kind: "set", key: keys.moved(channel.id, to), value: { from } },
          ...(chat === undefined ? [] : [{ kind: "set", key: keys.chat(channel.id, to), value: chat } as const]),
        ],
      );
      moves.add({ from, to });
    });
  }

  /**
   * Runs after updates already queued.
   * @throws {ServiceError} `CONVERSATION_UNKNOWN`, `CHAT_TOOLS_EXCEEDED`.
   */
  continueIn(chatId: string, conversationId: ConversationId): Promise<readonly StoredMessage[]> {
    return this.#chats.run(chatId, async () => {
      const { storage, channel, conversations, moves } = this.#context;
      const { title, allowedTools } = await conversations.get().get(conversationId);
      const { tools } = moves.settingsOf(chatId);
      if (!includesAllTools(tools ?? null, allowedTools)) {
        const message = `The conversation has tools that the chat "${chatId}" may not use: the chat may use ${namesOf(tools)}; change what the conversation may use, or "tools" of the chat`;
        throw new ServiceError("CHAT_TOOLS_EXCEEDED", message);
      }
      const kind = this.#parts.people.isGroupKnown(chatId) ? "group" : "private";
      const stored = await this.#chat({ chat: { id: chatId, kind, title: chatId } });
      const named = title === null ? "another conversation" : `"${oneLineOf(title, 100)}"`;
      const told = textContents(channel, `From now on, we continue with ${named} here.`);
      const { messages, writes } = this.#parts.outbox.prepare(chatId, told);
      const chat: StoredChat = { ...stored, conversationId, model: null, profile: null };
      await storage.atomic([], [{ kind: "set", key: keys.chat(channel.id, chatId), value: chat }, ...writes]);
      this.#parts.outbox.wake(chatId);
      return messages;
    });
  }

  async #take(update: Exclude<ChannelUpdate, { kind: "press" }>): Promise<void> {
    if (update.kind === "message" && update.others !== undefined) return this.#takeTogether(update, update.others);
    if (await this.#isSeen(update.updateId)) return;
    switch (update.kind) {
      case "command": {
        const chat = await this.#chat(update);
        if (this.#commands.isOwn(update) || !(await this.#takeWritten(update, chat)))
          await this.#answer(update, await this.#commands.run(chat, update));
        return;
      }
      case "message":
        if (update.chat.kind === "private" || update.isAddressed) await this.#takeMessage(update);
        return;
      case "edit":
        await this.#takeEdit(update);
    }
  }

  async #takeWritten(update: Command, chat: StoredChat): Promise<boolean> {
    let written: WrittenMessage | undefined;
    try {
      written = await this.#written.expand(chat, update);
    } catch (error) {
      if (isTransient(error)) throw error;
      await this.#answer(update, { text: unusable(error) });
      return true;
    }
    if (written === undefined) return false;
    const { updateId, chat: place, sender, messageId = "" } = update;
    const message = { kind: "message", updateId, chat: place, sender, messageId, text: written.text } as const;
    await this.#takeMessage({ ...message, files: [], isAddressed: true, quoted: undefined }, written);
    return true;
  }

  async #takeTogether(update: Message, others: NonNullable<Message["others"]>): Promise<void> {
    if (update.chat.kind !== "private" && !update.isAddressed) return;
    const rest = [];
    for (const other of others) if (!(await this.#isSeen(other.updateId))) rest.push(other);
    const isSeen = await this.#isSeen(update.updateId);
    if (isSeen && rest.length === 0) return;
    const files = [...(isSeen ? [] : update.files), ...rest.flatMap((other) => other.files)];
    await this.#takeMessage({ ...update, files, ...(isSeen ? { text: "", quoted: undefined } : {}) });
  }

  async #isSeen(updateId: string): Promise<boolean> {
    const { storage, channel } = this.#context;
    return (await storage.get(keys.seen(channel.id, updateId), storedNothingSchema)) !== undefined;
  }

  async #takeMessage(update: Message, written?: WrittenMessage): Promise<void> {
    if (update.text.trim() === "" && update.files.length === 0) return;
    const { storage, channel } = this.#context;
    const chat = await this.#chat(update);
    const owed = await storage.list(
      { prefix: keys.owedIn(channel.id, chat.id), limit: maxOwed },
      storedNothingSchema,
    );
    if (owed.length === maxOwed) return this.#refuse(update, chat);
    const { id: conversationId, isNew } = await this.#conversation(update, chat);
    if (conversationId === undefined) return;
    const noted = { prefix: keys.notesIn(channel.id, chat.id), limit: maxNotes };
    const notes = await storage.list(noted, storedNoteSchema);
    const model = chat.model ?? written?.model;
    // Files and notes belong to one conversation.
    const input = (id: ConversationId): Promise<Input> => {
      const told = notes.filter(({ value }) => value.conversationId === id).map(({ value }) => value.text);
      return messageInput(this.#context, update, { conversationId: id, model, note: told.join("\n") });
    };
    const writes = notes.map(({ key }) => ({ kind: "delete", key }) as const);
    const hasMore = update.files.length > 0 || update.quoted !== undefined || notes.length > 0;
    const given = written === undefined ? {} : { written };
    await this.#send(update, {
      chat: { ...chat, conversationId },
      input,
      writes,
      hasMore,
      mayBegin: !isNew,
      ...given,
    });
  }

  /** Replaces a pending message's text, else becomes a message about the change. */
  async #takeEdit(update: Edit): Promise<void> {
    if (update.text.trim() === "") return;
    const { storage, channel, conversations } = this.#context;
    const prefix = keys.owedIn(channel.id, update.chat.id);
    const owed = await storage.list({ prefix, limit: maxOwed }, storedOwedSchema);
    const edited = owed.find(({ value }) => value.messageId === update.messageId && !value.isReplaced);
    // In a group, an edit does not show whether it is addressed to the bot.
    if (edited === undefined && update.chat.kind === "group") return;
    const chat = await this.#chat(update);
    const isWaiting =
      edited !== undefined &&
      !edited.value.hasMore &&
      (await conversations.get().queue(edited.value.conversationId).catch(ignoreMissing)).some(
        ({ turnId }) => turnId === edited.value.turnId,
      );
    if (!isWaiting && owed.length === maxOwed) return this.#refuse(update, chat);
    const { id: conversationId, isNew } = await this.#conversation(update, chat);
    if (conversationId === undefined) return;
    const text = messageText(update);
    const input = async (): Promise<Input> =>
      isWaiting ? text : `[An earlier message was edited. It says:]\n\n${text}`;
    const replaced: StoredOwed | undefined = isWaiting ? { ...edited.value, isReplaced: true } : undefined;
    const writes: readonly StorageWrite[] =
      replaced === undefined || edited === undefined ? [] : [{ kind: "set", key: edited.key, value: replaced }];
    await this.#send(update, {
      chat: { ...chat, conversationId },
      input,
      writes,
      hasMore: false,
      mayBegin: !isNew,
    });
    // A follower repeats this later if the host stops here.
    if (replaced !== undefined)
      await conversations.get().removeQueued(replaced.conversationId, replaced.turnId).catch(ignoreMissing);
  }

  async #send(
    update: Message | Edit,
    options: {
      readonly chat: StoredChat & { readonly conversationId: ConversationId };
      readonly input: (conversationId: ConversationId) => Promise<Input>;
      readonly writes: readonly StorageWrite[];
      /** As in `StoredOwed`. */
      readonly hasMore: boolean;
      readonly written?: WrittenMessage;
      readonly mayBegin: boolean;
    },
  ): Promise<void> {
    const { storage, channel, clock, conversations, nextNumber } = this.#context;
    const { chat, input, writes, hasMore, mayBegin, written } = options;
    const { conversationId } = chat;
    const model = chat.model ?? written?.model;
    const join = ({ turnId, afterSeq }: AcknowledgedTurn): ReturnType<typeof storage.batch> => {
      const owed: StoredOwed = {
        conversationId,
        turnId,
        afterSeq,
        messageId: update.messageId,
        isGroup: chat.kind === "group",
        senderId: update.sender.id,
        isReplaced: false,
        hasMore,
      };
      return storage.batch(
        [],
        [
          ...updatesOf(update).flatMap((id) => seenWrites(channel.id, id, clock.now())),
          { kind: "set", key: keys.chat(channel.id, chat.id), value: { ...chat, isToldFull: false } },
          { kind: "set", key: keys.owed(channel.id, chat.id, nextNumber()), value: owed },
          ...writes,
        ],
      );
    };
    try {
      const request = {
        input: await input(conversationId),
        ...(model === undefined ? {} : { model }),
        ...(written === undefined ? {} : { command: written.command }),
      };
      // People in chats are not those who permanently allowed calls in a folder.
      await conversations.get().send(conversationId, request, { join, isUnattended: true });
    } catch (error) {
      if (mayBegin && codeOf(error) === "CONVERSATION_UNKNOWN") {
        const begun = await this.#conversation(update, { ...chat, conversationId: null });
        if (begun.id !== undefined)
          await this.#send(update, { ...options, chat: { ...chat, conversationId: begun.id }, mayBegin: false });
        return;
      }
      if (isTransient(error)) throw error;
      return this.#answer(update, { text: unusable(error) });
    }
    this.#parts.replies.wake(chat.id);
  }

  /** Creates it in the same commit; without `id`, the user already got the reason. */
  async #conversation(
    update: ChannelUpdate,
    chat: StoredChat,
  ): Promise<{ readonly id: ConversationId | undefined; readonly isNew: boolean }> {
    if (chat.conversationId !== null) return { id: chat.conversationId, isNew: false };
    const { storage, channel, conversations, moves } = this.#context;
    const { model, cwd, tools, profile: configured } = moves.settingsOf(chat.id);
    const profile = chat.profile ?? configured;
    const request = {
      title: oneLineOf(`${chat.title} (${channel.id})`, 200),
      ...(model === undefined ? {} : { model }),
      ...(profile === undefined ? {} : { profile }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(tools === undefined ? {} : { allowedTools: [...tools] }),
    };
    const join = (conversationId: ConversationId): ReturnType<typeof storage.batch> =>
      storage.batch([], [{ kind: "set", key: keys.chat(channel.id, chat.id), value: { ...chat, conversationId } }]);
    try {
      return { id: (await conversations.get().create(request, { join })).id, isNew: true };
    } catch (error) {
      if (isTransient(error)) throw error;
      await this.#answer(update, { text: unusable(error) });
      return { id: undefined, isNew: true };
    }
  }

  async #refuse(update: ChannelUpdate, chat: StoredChat): Promise<void> {
    if (chat.isToldFull) return;
    await this.#answer(update, {
      text: `Too many messages: ${maxOwed} of yours are still waiting. Please send this one again later.`,
      chat: { ...chat, isToldFull: true },
    });
  }

  async #answer(update: ChannelUpdate, { text, chat }: CommandResult): Promise<void> {
    const { storage, channel, clock } = this.#context;
    const { writes } = this.#parts.outbox.prepare(update.chat.id, textContents(channel, text));
    await storage.atomic(
      [],
      [
        ...updatesOf(update).flatMap((id) => seenWrites(channel.id, id, clock.now())),
        ...(chat === undefined ? [] : [{ kind: "set", key: keys.chat(channel.id, chat.id), value: chat } as const]),
        ...writes,
      ],
    );
    this.#parts.outbox.wake(update.chat.id);
  }

  async #chat({ chat: { id, kind, title } }: Pick<ChannelUpdate, "chat">): Promise<StoredChat> {
    const { storage, channel } = this.#context;
    const stored = await storage.get(keys.chat(channel.id, id), storedChatSchema);
    return { ...(stored ?? newChat({ id, kind, title })), kind, title: oneLineOf(title, 200) };
  }
}

function namesOf(tools: readonly string[] | undefined): string {
  return tools === undefined || tools.length === 0 ? "none" : tools.join(", ");
}

function updatesOf(update: ChannelUpdate): readonly string[] {
  const others = update.kind === "message" ? (update.others ?? []) : [];
  return [update.updateId, ...others.map(({ updateId }) => updateId)];
}

function ignoreMissing(error: unknown): [] {
  if (isTransient(error)) throw error;
  return [];
}

function unusable(error: unknown): string {
  const code = codeOf(error);
  const what = oneLineOf(errorMessage(error), 300);
  if (code === "MODEL_UNKNOWN") return `${what}. Choose another one with /model, and send your message again.`;
  if (code === "PROFILE_UNKNOWN") return `${what}. Choose another one with /profile, and send your message again.`;
  return `I cannot answer here: ${what}.`;
}

/** In order within a chat; chats run concurrently. */
class SerialChats {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @throws the operation's error; the next operation runs regardless. */
  async run<Result>(chatId: string, operation: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(chatId);
    const run = before === undefined ? operation() : before.then(operation);
    const settled = run.catch(() => undefined); // The caller receives the error.
    this.#last.set(chatId, settled);
    try {
      return await run;
    } finally {
      if (this.#last.get(chatId) === settled) this.#last.delete(chatId);
    }
  }
}
