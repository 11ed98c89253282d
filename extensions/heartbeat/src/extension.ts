import { gatewaySegment, ownTimeZone } from "@incipit/gateway-protocol";
import { defineExtension, type Extension } from "@incipit/kernel";
import {
  conversationsHandle,
  heartbeatHandle,
  hostDefaultsHandle,
  promptSegmentsPoint,
  ServiceError,
} from "@incipit/service-contract";
import { configuration, intervalMs } from "./configuration.ts";
import type { Heart } from "./heart.ts";

const extension: Extension = defineExtension(
  {
    id: "heartbeat",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true, fs: { read: ["$cwd"] } },
    dependsOn: { required: ["host-defaults@1"], optional: ["conversations@1"] },
    provides: ["heartbeat@1"],
    contributes: ["prompt-segments@1"],
    // Two would wake beside each other.
    swap: "exclusive",
  },
  { configuration },
  (host, { heartbeat: values, gateway_prompts: told }) => {
    const { enabled, active_hours: [from, to] = [], conversation } = values;
    if (told.heartbeat ?? enabled) host.contribute(promptSegmentsPoint, gatewaySegment("heartbeat"));
    let loaded: Promise<Heart> | undefined;
    // Loaded when it is on: most hosts have none.
    const heart = (): Promise<Heart> =>
      (loaded ??= import("./heart.ts").then(
        ({ Heart }) =>
          new Heart({
            storage: host.storage("heartbeat"),
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
              timeZone: values.time_zone ?? ownTimeZone(),
            },
            conversationId: conversation === "own" ? undefined : conversation,
            model: values.model,
            profile: values.profile,
            file: values.file,
            maxTokensPerDay: values.max_tokens_per_day,
          }),
      ));
    if (enabled)
      void host.started.then(async () => {
        if (!host.signal.aborted) await (await heart()).run();
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
