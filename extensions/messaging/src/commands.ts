import { errorMessage } from "@incipit/kernel";
import type { Conversation } from "@incipit/schema";
import { codeOf, isTransient, type ChannelUpdate, type Profile } from "@incipit/service-contract";
import type { ChannelContext } from "./chats-context.ts";
import { answerFiles } from "./file-command.ts";
import { keys } from "./keys.ts";
import { storedNothingSchema, storedOwedSchema, type StoredChat } from "./stored.ts";
import { oneLineOf } from "./texts.ts";
import type { WrittenCommands } from "./written-commands.ts";

export interface CommandResult {
  readonly text: string;
  readonly chat?: StoredChat;
}

type Command = Extract<ChannelUpdate, { kind: "command" }>;

const help = `Commands:
/new – start a new conversation
/model – show the model, or choose one: /model PROVIDER/MODEL; /model default resets it
/profile – show the profiles, or start a new conversation with one: /profile NAME; /profile default resets it
/prompt – show whether my instructions have changed since this conversation started; /prompt rebuild applies them
/files – show the images and files in my requests; /files remove removes the newest, /files remove ID another
/stop – stop the current turn
/status – show the status
/help – this list`;

const ownNames: ReadonlySet<string> = new Set([
  "start",
  "help",
  "new",
  "model",
  "profile",
  "prompt",
  "files",
  "stop",
  "status",
]);
const maxListed = 20;

const maxNameLength = 200;

export class Commands {
  readonly #context: ChannelContext;
  readonly #written: WrittenCommands;

  constructor(context: ChannelContext, written: WrittenCommands) {
    this.#context = context;
    this.#written = written;
  }

  /** Returns whether a command is built in. A command file of the same name cannot override it. */
  isOwn({ name }: Pick<Command, "name">): boolean {
    return ownNames.has(name.toLowerCase());
  }

  /** Rejects with transient errors: the command is then delivered again. */
  async run(chat: StoredChat, { name, argument }: Command): Promise<CommandResult> {
    const given = oneLineOf(argument, maxNameLength);
    switch (name.toLowerCase()) {
      case "start":
        return { text: `Hello! Send me a message to start.\n\n${await this.#help(chat)}` };
      case "help":
        return { text: await this.#help(chat) };
      case "new":
        return {
          text: "Your next message starts a new conversation.",
          chat: { ...chat, conversationId: null },
        };
      case "model":
        return this.#model(chat, given);
      case "profile":
        return this.#profile(chat, given);
      case "prompt":
        return this.#inConversation(chat, ({ id }) => (given === "rebuild" ? this.#rebuild(id) : this.#drift(id)));
      case "files":
        return this.#inConversation(chat, ({ id }) => answerFiles(this.#context.files.get(), { id, given }));
      case "stop":
        return this.#stop(chat);
      case "status":
        return this.#status(chat);
      default:
        return { text: `Unknown command /${oneLineOf(name, 32)}. /help lists the commands.` };
    }
  }

  async #help(chat: StoredChat): Promise<string> {
    const written = (await this.#written.list(chat)).filter((command) => !this.isOwn(command));
    const lines = written
      .slice(0, maxListed)
      .map(({ name, description }) => `/${name}${description === null ? "" : ` – ${oneLineOf(description, 100)}`}`);
    const left = written.length - lines.length;
    return [help, ...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
  }

  /** Also stops runs of conversations that the chat left by /new, whose replies still go here. */
  async #stop(chat: StoredChat): Promise<CommandResult> {
    const { storage, channel, conversations } = this.#context;
    const range = { prefix: keys.owedIn(channel.id, chat.id), limit: 100 };
    const owed = (await storage.list(range, storedOwedSchema)).map(({ value }) => value.conversationId);
    const left = [...new Set(owed)].filter((id) => id !== chat.conversationId);
    let isStopped = false;
    for (const id of left)
      try {
        if (await conversations.get().stop(id)) isStopped = true;
      } catch (error) {
        if (isTransient(error)) throw error; // Otherwise deleted, so nothing runs.
      }
    if (isStopped && chat.conversationId === null) return { text: "" };
    return this.#inConversation(chat, async ({ id }) =>
      // The stopped run's reply reports the stop.
      (await conversations.get().stop(id)) || isStopped ? "" : "Nothing is running here.",
    );
  }

  async #model(chat: StoredChat, given: string): Promise<CommandResult> {
    if (given === "") {
      const { text } = await this.#inConversation(chat, async ({ model }) => model);
      const model = chat.model ?? (chat.conversationId === null ? await this.#newModel(chat) : text);
      return { text: `Model: ${model}. To change it: /model PROVIDER/MODEL` };
    }
    if (given === "default")
      return { text: "Using the conversation's own model again.", chat: { ...chat, model: null } };
    if (!/^[^\s/]+\/\S+$/.test(given)) return { text: "Use PROVIDER/MODEL, such as /model openai/gpt-5" };
    return { text: `${given} answers from your next message on.`, chat: { ...chat, model: given } };
  }

  async #profile(chat: StoredChat, given: string): Promise<CommandResult> {
    const names = (await this.#profiles(chat)).map(({ name }) => name);
    const list = names.length === 0 ? "There are no profiles." : `Profiles: ${names.join(", ")}.`;
    if (given === "") {
      const profile = chat.profile ?? this.#context.moves.settingsOf(chat.id).profile ?? "none";
      return { text: `Profile: ${profile}. ${list} To change it: /profile NAME` };
    }
    if (given !== "default" && !names.includes(given)) return { text: `Unknown profile "${given}". ${list}` };
    return {
      text: `Your next message starts a new conversation${given === "default" ? "" : `, as ${given}`}.`,
      chat: { ...chat, conversationId: null, profile: given === "default" ? null : given },
    };
  }

  async #drift(id: Conversation["id"]): Promise<string> {
    const drift = await this.#context.conversations.get().drift(id, { signal: this.#context.signal });
    if (drift === null) return "My instructions are built with your first message.";
    return drift.isSame
      ? "My instructions are up to date."
      : "My instructions have changed since this conversation started: /prompt rebuild applies them.";
  }

  async #rebuild(id: Conversation["id"]): Promise<string> {
    const { channel, signal, conversations } = this.#context;
    const request = { note: `Requested with /prompt rebuild on ${channel.id}` };
    const outcome = await conversations.get().rebuild(id, request, { signal });
    return outcome === "rebuilt"
      ? "I follow the current instructions from your next message on."
      : "My instructions are already up to date.";
  }

  async #status(chat: StoredChat): Promise<CommandResult> {
    const { storage, channel } = this.#context;
    const range = { prefix: keys.owedIn(channel.id, chat.id), limit: 100 };
    const owed = (await storage.list(range, storedNothingSchema)).length;
    const wait = owed === 1 ? "waits" : "wait";
    const waiting = owed === 0 ? "No messages are waiting." : `${owed} of your messages ${wait} for a reply.`;
    const model = chat.model === null ? "" : ` Your messages here go to ${chat.model}.`;
    if (chat.conversationId === null)
      return {
        text: `Your next message starts a new conversation, with ${await this.#newModel(chat)}.${model} ${waiting}`,
      };
    return this.#inConversation(chat, async ({ title, model: own, profile, status, approvals }) => {
      const asked = approvals.length === 0 ? "" : ` ${approvals.length} questions wait for you.`;
      return `"${title ?? "Untitled"}", with ${own}${profile === null ? "" : ` as ${profile}`}: ${status}.${model} ${waiting}${asked}`;
    });
  }

  async #newModel(chat: StoredChat): Promise<string> {
    const { defaults, moves } = this.#context;
    const configured = moves.settingsOf(chat.id);
    if (configured.model !== undefined) return configured.model;
    const named = chat.profile ?? configured.profile;
    const profiles = named === undefined ? [] : await this.#profiles(chat);
    return profiles.find(({ name }) => name === named)?.model ?? defaults.get().model;
  }

  async #profiles({ id }: StoredChat): Promise<readonly Profile[]> {
    const { defaults, profiles, moves, signal } = this.#context;
    const { cwd = defaults.get().cwd } = moves.settingsOf(id);
    try {
      const found = await profiles.current?.list({ cwd, signal });
      if (found !== undefined) return found.profiles.map(({ profile }) => profile);
    } catch (error) {
      if (isTransient(error)) throw error; // Otherwise the folder is inaccessible.
    }
    return defaults.get().profiles;
  }

  async #inConversation(
    { conversationId }: StoredChat,
    answer: (conversation: Conversation) => Promise<string>,
  ): Promise<CommandResult> {
    if (conversationId === null) return { text: "No conversation yet: your next message starts one." };
    try {
      return { text: await answer(await this.#context.conversations.get().get(conversationId)) };
    } catch (error) {
      if (isTransient(error)) throw error;
      if (codeOf(error) === "CONVERSATION_UNKNOWN")
        return { text: "This conversation was deleted: your next message starts a new one." };
      return { text: `That failed: ${oneLineOf(errorMessage(error), 300)}.` };
    }
  }
}
