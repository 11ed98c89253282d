import { DaySpending, gatewaySegment, ownTimeZone } from "@incipit/gateway-protocol";
import { defineExtension, errorMessage, type Extension } from "@incipit/kernel";
import {
  chatsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  heartbeatHandle,
  hostDefaultsHandle,
  promptSegmentsPoint,
  ServiceError,
  toolSourcesPoint,
  unattendedHandle,
} from "@incipit/service-contract";
import { configuration, intervalMs } from "./configuration.ts";
import type { Heart } from "./heart.ts";
import { respondToolSource } from "./respond-tool.ts";

const extension: Extension = defineExtension(
  {
    id: "heartbeat",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true, fs: { read: ["$cwd"] } },
    dependsOn: {
      required: ["host-defaults@1"],
      optional: ["chats@1", "conversation-records@1", "conversations@1", "unattended@1"],
    },
    provides: ["heartbeat@1"],
    contributes: ["prompt-segments@1", "tool-sources@1"],
    // Two instances would wake models concurrently.
    swap: "exclusive",
  },
  { configuration },
  (host, { heartbeat: values, gateway_prompts: told }) => {
    const { enabled, active_hours: [from, to] = [], conversation } = values;
    if (told.heartbeat ?? enabled) host.contribute(promptSegmentsPoint, gatewaySegment("heartbeat"));
    const load = async (): Promise<Heart> => {
      const { Heart } = await import("./heart.ts");
      const storage = host.storage("heartbeat");
      const timeZone = values.time_zone ?? ownTimeZone();
      return new Heart({
        storage,
        conversations: host.getService(conversationsHandle),
        clock: host.clock,
        log: host.log,
        fs: host.fs,
        signal: host.signal,
        cwd: host.getService(hostDefaultsHandle).get().cwd,
        isEnabled: enabled,
        times: {
          everyMs: intervalMs(values.every) ?? 0,
          activeHours: from === undefined || to === undefined ? undefined : [from, to],
          timeZone,
        },
        conversation,
        chats: host.getService(chatsHandle),
        tell: values.tell,
        model: values.model,
        profile: values.profile,
        tools: values.tools,
        file: values.file,
        spending: new DaySpending({ storage, clock: host.clock, timeZone, keptDays: 0 }),
        records: host.getService(conversationRecordsHandle),
        unattended: host.getService(unattendedHandle),
        maxTokensPerDay: values.max_tokens_per_day,
        maxUsdPerDay: values.max_usd_per_day,
      });
    };
    let loaded: Promise<Heart> | undefined;
    const heart = (): Promise<Heart> => (loaded ??= load());
    const begin = async (): Promise<void> => {
      await host.started;
      if (!host.signal.aborted) await (await heart()).run();
    };
    if (enabled) host.contribute(toolSourcesPoint, respondToolSource(heart));
    if (enabled)
      void begin().catch((error: unknown) => {
        if (!host.signal.aborted) host.log.error("The heartbeat could not begin", { error: errorMessage(error) });
      });
    host.provideService(heartbeatHandle, {
      get: async () => (await heart()).get(),
      wakes: async (page) => (await heart()).wakes(page),
      async wake() {
        if (enabled) return (await heart()).wake();
        throw new ServiceError(
          "SERVICE_UNAVAILABLE",
          "The heartbeat is off: set heartbeat.enabled to true in the configuration",
        );
      },
    });
  },
);

export default extension;
