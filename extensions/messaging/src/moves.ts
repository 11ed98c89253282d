import type { Channel, ChatSettings } from "@incipit/service-contract";
import type { Storage } from "@incipit/kernel";
import { keys } from "./keys.ts";
import { storedMoveSchema } from "./stored.ts";

const maxMoves = 1_000;

/** Such as Telegram groups that became supergroups after they were configured. */
export class Moves {
  readonly #storage: Storage;
  readonly #channel: Channel;
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

  add({ from, to }: { readonly from: string; readonly to: string }): void {
    this.#from.set(to, from);
  }

  /** Newest first, with the suffix of a thread or topic. */
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

  settingsOf(chatId: string): ChatSettings {
    const configured = this.idsOf(chatId).find((id) =>
      id
        .split("/")
        .some((_, level, levels) => this.#channel.settings.chats?.has(levels.slice(0, level + 1).join("/"))),
    );
    return chatSettings(this.#channel, configured ?? chatId);
  }
}

/** A chat's own settings, then its parents' (such as the group of a topic), then the channel's. */
function chatSettings({ settings }: Channel, chatId: string): ChatSettings {
  const levels = chatId.split("/");
  const within = levels.map((_, level) => settings.chats?.get(levels.slice(0, level + 1).join("/")));
  return Object.assign({}, settings, ...within);
}
