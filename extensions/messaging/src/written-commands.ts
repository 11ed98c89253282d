import { codeOf, isTransient } from "@incipit/service-contract";
import type { Command, CommandCall } from "@incipit/schema";
import type { ChannelContext } from "./chats-context.ts";
import type { StoredChat } from "./stored.ts";

export interface WrittenMessage {
  readonly text: string;
  readonly command: CommandCall;
  readonly model: string | undefined;
}

export class WrittenCommands {
  readonly #context: ChannelContext;

  constructor(context: ChannelContext) {
    this.#context = context;
  }

  /** `undefined` for an unknown command. Rejects with transient errors, and for invalid arguments. */
  async expand(
    chat: StoredChat,
    { name, argument }: { readonly name: string; readonly argument: string },
  ): Promise<WrittenMessage | undefined> {
    const { commands, signal } = this.#context;
    const given = argument.trim();
    const call = given === "" ? { name } : { name, arguments: given };
    try {
      const expanded = await commands.current?.expand(call, { ...(await this.#placeOf(chat)), signal });
      if (expanded === undefined) return undefined;
      const { text: said, command, files = [] } = expanded;
      const text =
        files.length === 0 ? said : `${said}\n\n[files of this command (${files.length}) are left out here]`;
      return { text, command: { ...call, name: command.name }, model: command.model ?? undefined };
    } catch (error) {
      const code = codeOf(error);
      if (code === "COMMAND_UNKNOWN" || code === "CWD_INVALID") return undefined;
      throw error;
    }
  }

  async list(chat: StoredChat): Promise<readonly Command[]> {
    const { commands, signal } = this.#context;
    try {
      return (await commands.current?.list({ cwd: (await this.#placeOf(chat)).cwd, signal }))?.commands ?? [];
    } catch (error) {
      if (isTransient(error)) throw error;
      return [];
    }
  }

  async #placeOf({
    id,
    conversationId,
  }: StoredChat): Promise<{ readonly cwd: string; readonly isImported: boolean }> {
    const { conversations, moves, defaults } = this.#context;
    const { cwd = defaults.get().cwd } = moves.settingsOf(id);
    if (conversationId === null) return { cwd, isImported: false };
    try {
      const { cwd: own, importedAt } = await conversations.get().get(conversationId);
      return { cwd: own, isImported: importedAt !== null };
    } catch (error) {
      if (isTransient(error)) throw error;
      return { cwd, isImported: false }; // The conversation was deleted: a new one will begin.
    }
  }
}
