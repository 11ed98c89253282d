import { defineExtension, type Extension } from "@incipit/kernel";
import { channelsPoint } from "@incipit/service-contract";
import { configuration, publicRoot } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "channel-discord",
    version: "0.1.0",
    api: "^1",
    // All of the first two: the operator's configuration names the servers and the variable, and the host grants just those.
    capabilities: { net: true, env: true, storage: true },
    contributes: ["channels@1"],
    // Two would both answer what people press, and the second one too late.
    swap: "exclusive",
  },
  { configuration },
  async (host, { channels: { discord } }) => {
    if (!discord.enabled) return;
    // Loaded when it is on: most hosts have none.
    const { DiscordChannel } = await import("./discord-channel.ts");
    const { token_env: tokenVariable, api_root: root = publicRoot, people, groups, approvers } = discord;
    const { model, profile, cwd, tools, chats } = discord;
    const channel = new DiscordChannel({
      settings: { people, groups, model, profile, cwd, tools, approvers, chats: new Map(Object.entries(chats)) },
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
