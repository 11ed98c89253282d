import { defineExtension, type Extension } from "@incipit/kernel";
import {
  channelsPoint,
  conversationsHandle,
  mediaHandle,
  modelProvidersPoint,
  promptSegmentsPoint,
  toolsPoint,
} from "@incipit/service-contract";
import { configuration } from "./configuration.ts";
import type { ConversationMedia } from "./media.ts";
import { mediaSegment } from "./media-segment.ts";
import { sendFileTool } from "./send-file-tool.ts";

const extension: Extension = defineExtension(
  {
    id: "media",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true, fs: { read: ["$cwd"], write: ["$cwd"] } },
    dependsOn: { required: [], optional: ["conversations@1"] },
    provides: ["media@1"],
    contributes: ["prompt-segments@1", "tools@1"],
    reads: ["channels@1", "model-providers@1"],
  },
  { configuration },
  (host, { gateway_prompts: told, max_sent_bytes: out, max_received_bytes: received }) => {
    const providers = host.contributions(modelProvidersPoint);
    let loaded: Promise<ConversationMedia> | undefined;
    const media = (): Promise<ConversationMedia> =>
      (loaded ??= import("./media.ts").then(
        ({ ConversationMedia }) =>
          new ConversationMedia({
            fs: host.fs,
            storage: host.storage("media"),
            now: () => host.clock.now(),
            conversations: host.getService(conversationsHandle),
            providers,
            maxBytes: { out, in: received },
          }),
      ));
    host.provideService(mediaHandle, {
      split: async (id, request) => (await media()).split(id, request),
      read: async (id, path, options) => (await media()).read(id, path, options),
      keep: async (id, file, options) => (await media()).keep(id, file, options),
    });

    if (told.media === true) host.contribute(promptSegmentsPoint, mediaSegment);
    const channels = host.contributions(channelsPoint);
    let isOn = false;
    // Without recipients, prompt and tool are useless.
    const turnOn = (): void => {
      if (isOn || host.signal.aborted || channels.current.length === 0) return;
      isOn = true;
      if (told.media === undefined) host.contribute(promptSegmentsPoint, mediaSegment);
      host.contribute(
        toolsPoint,
        sendFileTool(async (call) => (await media()).send(call)),
      );
    };
    channels.onChange(turnOn);
    turnOn();
  },
);

export default extension;
