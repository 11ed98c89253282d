import { defineExtension, errorMessage, type Extension } from "@incipit/kernel";
import {
  approvalsHandle,
  channelsPoint,
  commandsHandle,
  chatsHandle,
  conversationsHandle,
  hostDefaultsHandle,
  mediaHandle,
  messageFilesHandle,
  profilesHandle,
} from "@incipit/service-contract";
import type { Hub } from "./hub.ts";

const extension: Extension = defineExtension(
  {
    id: "chats",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true },
    dependsOn: {
      required: ["host-defaults@1"],
      optional: ["approvals@1", "commands@1", "conversations@1", "media@1", "message-files@1", "profiles@1"],
    },
    provides: ["chats@1"],
    reads: ["channels@1"],
    // Two instances would both receive and send everything twice.
    swap: "exclusive",
  },
  (host) => {
    const storage = host.storage("chats");
    const channels = host.contributions(channelsPoint);
    const services = {
      conversations: host.getService(conversationsHandle),
      approvals: host.getService(approvalsHandle),
      files: host.getService(messageFilesHandle),
      media: host.getService(mediaHandle),
      commands: host.getService(commandsHandle),
      profiles: host.getService(profilesHandle),
      defaults: host.getService(hostDefaultsHandle),
    };
    let loaded: Promise<Hub> | undefined;
    // Loaded with the first channel: most hosts have none.
    const load = async (): Promise<Hub> => {
      const { Hub } = await import("./hub.ts");
      const { clock, log, signal } = host;
      return new Hub({ storage, clock, log, signal, ...services });
    };
    const hub = (): Promise<Hub> => (loaded ??= load());

    // Interrupted sends would have an unknown outcome.
    host.defer("messages on their way", async () => (await loaded)?.ended());

    let hasStarted = false;
    const sync = async (): Promise<void> => {
      if (!hasStarted || (loaded === undefined && channels.current.length === 0)) return;
      const working = await hub();
      if (!host.signal.aborted) working.sync(channels.current.map(({ value }) => value));
    };
    const syncSafely = (): void =>
      void sync().catch((error: unknown) => {
        if (!host.signal.aborted) host.log.error("Failed to start the channels", { error: errorMessage(error) });
      });
    channels.onChange(syncSafely);
    void host.started.then(() => {
      hasStarted = true;
      if (!host.signal.aborted) syncSafely();
    });

    host.provideService(chatsHandle, {
      channels: async () => (await hub()).channels(),
      messages: async (channel, page) => (await hub()).messages(channel, page),
      retry: async (channel, message) => (await hub()).retry(channel, message),
      send: async (channel, request, options) => (await hub()).send(channel, request, options),
      continueIn: async (channel, chat, request) => (await hub()).continueIn(channel, chat, request),
      createPairingCode: async (channel) => (await hub()).createPairingCode(channel),
      people: async (channel) => (await hub()).people(channel),
      removePerson: async (channel, person) => (await hub()).removePerson(channel, person),
    });
  },
);

export default extension;
