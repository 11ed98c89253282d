import discord from "@incipit/channel-discord";
import telegram from "@incipit/channel-telegram";
import type { Extension } from "@incipit/kernel";
import { RecordingBotServer, RecordingDiscordServer } from "@incipit/testkit";

export interface OutageService extends AsyncDisposable {
  readonly channel: "telegram" | "discord";
  readonly extension: Extension;
  readonly url: string;
  readonly token: string;
  readonly tokenVariable: string;
  readonly personId: string;
  readonly says: (text: string) => void;
  readonly replies: () => readonly string[];
  readonly isLongPoll: (url: string) => boolean;
  readonly revokeToken: () => void;
  readonly restoreToken: () => void;
  readonly goDown: () => Promise<void>;
  readonly comeBack: () => void;
  readonly release: () => void;
  readonly isListening: () => boolean;
}

export function telegramService(): OutageService {
  const bot = new RecordingBotServer({ isStrict: true });
  const ada = bot.person({ name: "Ada" });
  return {
    channel: "telegram",
    extension: telegram,
    url: bot.url,
    token: bot.token,
    tokenVariable: "TELEGRAM_BOT_TOKEN",
    personId: String(ada.user.id),
    says: (text) => void ada.says(text),
    replies: () => ada.replies.map(({ text = "" }) => text),
    isLongPoll: (url) => url.endsWith("/getUpdates"),
    revokeToken: () => bot.revokeToken(),
    restoreToken: () => bot.restoreToken(),
    goDown: () => bot.goDown(),
    comeBack: () => bot.comeBack(),
    release: () => bot.release(),
    isListening: () => true,
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  };
}

export function discordService(now: () => number): OutageService {
  const server = new RecordingDiscordServer({ isStrict: true, now });
  const ada = server.person({ name: "Ada" });
  return {
    channel: "discord",
    extension: discord,
    url: server.url,
    token: server.token,
    tokenVariable: "DISCORD_BOT_TOKEN",
    personId: ada.user.id,
    says: (text) => void ada.says(text),
    replies: () => ada.replies.map(({ content }) => content),
    isLongPoll: () => false,
    revokeToken: () => server.revokeToken(),
    restoreToken: () => server.restoreToken(),
    goDown: () => server.goDown(),
    comeBack: () => server.comeBack(),
    release: () => server.release(),
    isListening: () => server.gateway.isConnected,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
