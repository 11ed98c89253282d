import type { Channel, ChatSettings } from "@incipit/service-contract";

/** A chat's own settings, then its parents' (such as the group of a topic), then the channel's. */
export function chatSettings({ settings }: Channel, chatId: string): ChatSettings {
  const levels = chatId.split("/");
  const within = levels.map((_, level) => settings.chats?.get(levels.slice(0, level + 1).join("/")));
  return Object.assign({}, settings, ...within);
}
