import { openChannel, RecordingBotServer, type OpenChannelOptions, type OpenedChannel } from "@incipit/testkit";
import extension from "../extension.ts";

export type TelegramWorld = OpenedChannel<RecordingBotServer>;

const setup = {
  extension,
  name: "telegram",
  tokenVariable: "TELEGRAM_BOT_TOKEN",
  createServer: () => new RecordingBotServer({ isStrict: true }),
};

export async function openTelegram(options: OpenChannelOptions<RecordingBotServer> = {}): Promise<TelegramWorld> {
  return openChannel(setup, options);
}
