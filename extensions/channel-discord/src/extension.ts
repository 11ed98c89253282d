import { channelSettings } from "@incipit/common/channels";
import { defineExtension, type Extension } from "@incipit/kernel";
import { channelsPoint } from "@incipit/service-contract";
import { configuration, publicRoot } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "channel-discord",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { net: true, env: true, storage: true },
    contributes: ["channels@1"],
    // Two instances would both answer interactions, and the second too late.
    swap: "exclusive",
  },
  { configuration },
  async (host, { channels: { discord } }) => {
    if (!discord.enabled) return;
    const { DiscordChannel } = await import("./discord-channel.ts");
    const { token_env: tokenVariable, api_root: root = publicRoot } = discord;
    const channel = new DiscordChannel({
      settings: channelSettings(discord),
      token: host.env.get(tokenVariable),
      tokenVariable,
      root: root.replace(/\/+$/, ""),
      storage: host.storage("places"),
      net: host.net,
      clock: host.clock,
      log: host.log,
    });
    host.contribute(channelsPoint, channel);
  },
);

export default extension;
