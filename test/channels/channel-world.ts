import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import {
  createTempFolder,
  RecordingBotServer,
  RecordingDiscordServer,
  startRecordingModelServer,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, type Client } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export interface ChannelHost {
  readonly running: RunningHost;
  readonly client: Client;
}

/** Hosts in this process over one data folder, with one channel each. */
export class ChannelWorld implements AsyncDisposable {
  readonly model: RecordingModelServer;
  readonly bot: RecordingBotServer;
  readonly discord: RecordingDiscordServer;
  readonly folder: string;
  readonly log: string[] = [];
  readonly #scope: AsyncDisposableStack;

  private constructor(
    scope: AsyncDisposableStack,
    { model, bot, discord, folder }: Pick<ChannelWorld, "model" | "bot" | "discord" | "folder">,
  ) {
    this.#scope = scope;
    this.model = model;
    this.bot = bot;
    this.discord = discord;
    this.folder = folder;
  }

  static async create(): Promise<ChannelWorld> {
    await using scope = new AsyncDisposableStack();
    const { path: folder } = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer());
    const bot = scope.use(new RecordingBotServer({ isStrict: true }));
    const discord = scope.use(new RecordingDiscordServer({ isStrict: true }));
    await mkdir(join(folder, "work"));
    return new ChannelWorld(scope.move(), { model, bot, discord, folder });
  }

  get cwd(): string {
    return join(this.folder, "work");
  }

  /**
   * Ends with the world at the latest.
   * @param settings Lines of the channel's table, and after it.
   */
  async start(channel: "telegram" | "discord", settings = ""): Promise<ChannelHost> {
    const { bot, discord, model, folder, cwd, log } = this;
    const text = `model = "local/test"
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }
listen.port = 0
[channels.${channel}]
enabled = true
api_root = "${channel === "telegram" ? bot.url : discord.url}"
${settings}`;
    const running = await createHost({
      config: parseConfig(text, "incipit.toml"),
      dataFolder: join(folder, "data"),
      cwd,
      env: { TELEGRAM_BOT_TOKEN: bot.token, DISCORD_BOT_TOKEN: discord.token },
      writeLog: (line) => void log.push(line),
    });
    this.#scope.defer(() => running.close());
    if (channel === "discord") await discord.waitFor(({ gateway }) => gateway.isConnected);
    return { running, client: createClient(running) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }
}
