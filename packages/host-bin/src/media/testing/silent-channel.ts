import { defineExtension, type Extension } from "@incipit/kernel";
import { channelsPoint, type Channel } from "@incipit/service-contract";

const silentChannel: Channel = {
  id: "silent",
  settings: { people: [], groups: [], model: undefined, profile: undefined, cwd: undefined, approvers: undefined },
  maxFileBytes: { out: 1_000_000, in: 1_000_000 },
  run: async () => {},
  split: (markdown) => [markdown],
  send: async () => ({ kind: "failed", why: "nobody is there" }),
};

export const silentChannelExtension: Extension = defineExtension(
  { id: "test.channel", version: "1.0.0", api: "^1", contributes: ["channels@1"] },
  (host) => host.contribute(channelsPoint, silentChannel),
);
