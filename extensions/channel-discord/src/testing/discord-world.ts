import {
  openChannel,
  RecordingDiscordServer,
  type FakeClock,
  type OpenChannelOptions,
  type OpenedChannel,
} from "@incipit/testkit";
import extension from "../extension.ts";

export type DiscordWorld = OpenedChannel<RecordingDiscordServer>;

export function discordAt(clock: FakeClock): RecordingDiscordServer {
  return new RecordingDiscordServer({ isStrict: true, now: () => clock.now() });
}

/** Connected, when the world has its own server. */
export async function openDiscord(options: OpenChannelOptions<RecordingDiscordServer> = {}): Promise<DiscordWorld> {
  const setup = { extension, name: "discord", tokenVariable: "DISCORD_BOT_TOKEN", createServer: discordAt };
  const world = await openChannel(setup, options);
  const { server, env, isReceiving = true } = options;
  if (server === undefined && env === undefined && isReceiving)
    await world.server.waitFor(({ gateway }) => gateway.isConnected);
  return world;
}
