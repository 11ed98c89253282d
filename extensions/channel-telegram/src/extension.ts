import { defineExtension, type Extension } from "@incipit/kernel";
import { channelsPoint } from "@incipit/service-contract";
import { configuration, publicRoot } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "channel-telegram",
    version: "0.1.0",
    api: "^1",
    // All of both: the operator's configuration names the server and the variable, and the host grants just those.
    capabilities: { net: true, env: true },
    contributes: ["channels@1"],
    // Two would take each other's messages away: the service ends the older one's wait.
    swap: "exclusive",
  },
  { configuration },
  async (host, { channels: { telegram } }) => {
    if (!telegram.enabled) return;
    // Loaded when it is on: most hosts have none.
    const { TelegramChannel } = await import("./telegram-channel.ts");
    const { token_env: tokenVariable, api_root: root = publicRoot, people, groups, approvers } = telegram;
    const { model, profile, cwd, tools, chats } = telegram;
    const channel = new TelegramChannel({
      settings: { people, groups, model, profile, cwd, tools, approvers, chats: new Map(Object.entries(chats)) },
      token: host.env.get(tokenVariable),
      tokenVariable,
      root: root.replace(/\/+$/, ""),
      net: host.net,
      clock: host.clock,
      log: host.log,
    });
    host.contribute(channelsPoint, channel);
  },
);

export default extension;
