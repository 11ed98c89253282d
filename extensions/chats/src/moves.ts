import type { Channel, ChatSettings } from "@incipit/service-contract";
import type { Storage } from "@incipit/kernel";
import { chatSettings } from "./chat-settings.ts";
import { keys } from "./keys.ts";
import { storedMoveSchema } from "./stored.ts";

const maxMoves = 1_000;

/** The groups that have another id than the one under which they are configured, such as Telegram's that became supergroups. */
export class Moves {
  readonly #storage: Storage;
  readonly #channel: Channel;
  /** By what each is called now. */
  readonly #from = new Map<string, string>();

  constructor({ storage, channel }: { readonly storage: Storage; readonly channel: Channel }) {
    this.#storage = storage;
    this.#channel = channel;
  }

  async load(): Promise<void> {
    const range = { prefix: keys.moves(this.#channel.id), limit: maxMoves };
    for (const { key, value } of await this.#storage.list(range, storedMoveSchema))
      this.#from.set(keys.last(key), value.from);
  }

  /** Once it is stored. */
  add({ from, to }: { readonly from: string; readonly to: string }): void {
    this.#from.set(to, from);
  }

  /** The ids that a group has had, the newest one first, with what is behind the group's own. */
  idsOf(chatId: string): readonly string[] {
    const ids = [chatId];
    for (let last = chatId; ids.length < 10;) {
      const [group = "", ...within] = last.split("/");
      const from = this.#from.get(group);
      if (from === undefined) break;
      last = [from, ...within].join("/");
      ids.push(last);
    }
    return ids;
  }

  /** What is configured for the chat, under the newest of its ids that has anything of its own. */
  settingsOf(chatId: string): ChatSettings {
    const configured = this.idsOf(chatId).find((id) =>
      id
        .split("/")
        .some((_, level, levels) => this.#channel.settings.chats?.has(levels.slice(0, level + 1).join("/"))),
    );
    return chatSettings(this.#channel, configured ?? chatId);
  }
}
