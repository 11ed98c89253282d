import { channelSettings } from "@incipit/common/channels";
import { defineExtension, type Extension } from "@incipit/kernel";
import { channelsPoint } from "@incipit/service-contract";
import { configuration, publicRoot } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "channel-telegram",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { net: true, env: true },
    contributes: ["channels@1"],
    // Two pollers would take each other's updates: Telegram ends the older poll.
    swap: "exclusive",
  },
  { configuration },
  async (host, { channels: { telegram } }) => {
    if (!telegram.enabled) return;
    const { TelegramChannel } = await import("./telegram-channel.ts");
    const { token_env: tokenVariable, api_root: root = publicRoot } = telegram;
    const channel = new TelegramChannel({
      settings: channelSettings(telegram),
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
