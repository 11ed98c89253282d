import { assertCallerReads, defineExtension, errorMessage, type Caller, type Extension } from "@incipit/kernel";
import {
  heartbeatHandle,
  promptSegmentsPoint,
  schedulesHandle,
  ServiceError,
  toolSourcesPoint,
  unattendedHandle,
  type Schedules,
} from "@incipit/service-contract";
import { configuration } from "./configuration.ts";
import { keys, storedNothingSchema } from "./engine/stored.ts";
import { cronSegment, heartbeatSegment } from "./gateway-prompts.ts";
import { respondToolSource } from "./heartbeat/respond-tool.ts";
import type { HeartbeatService } from "./heartbeat/heartbeat-service.ts";
import type { Parts } from "./parts.ts";

const extension: Extension = defineExtension(
  {
    id: "schedules",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true, fs: { read: ["$cwd"] } },
    dependsOn: {
      required: ["host-defaults@1"],
      optional: ["chats@1", "conversation-records@1", "conversations@1", "profiles@1"],
    },
    provides: ["heartbeat@1", "schedules@1", "unattended@1"],
    contributes: ["prompt-segments@1", "tool-sources@1"],
    // Two instances would claim concurrently and follow the same turns.
    swap: "exclusive",
  },
  { configuration },
  async (host, values) => {
    const { cron, heartbeat, gateway_prompts: told } = values;
    let loaded: Promise<Parts> | undefined;
    // Loaded on demand: determining the machine's time zone takes longer than everything else here.
    const parts = (): Promise<Parts> =>
      (loaded ??= import("./parts.ts").then(({ createParts }) => createParts(host, values)));

    host.provideService(unattendedHandle, {
      get: async () => (await parts()).budget.get(),
      costs: async (page) => (await parts()).budget.costs(page),
    });

    const hearts = async (): Promise<HeartbeatService> => {
      const { engine, service } = (await parts()).heartbeat;
      if (heartbeat.enabled) await engine.begin(host.started);
      return service;
    };
    if (told.heartbeat ?? heartbeat.enabled) host.contribute(promptSegmentsPoint, heartbeatSegment);
    if (heartbeat.enabled) host.contribute(toolSourcesPoint, respondToolSource(hearts));
    host.provideService(heartbeatHandle, {
      get: async () => (await hearts()).get(),
      wakes: async (page) => (await hearts()).wakes(page),
      async wake() {
        if (heartbeat.enabled) return (await hearts()).wake();
        throw new ServiceError(
          "SERVICE_UNAVAILABLE",
          "The heartbeat is off: set heartbeat.enabled to true in the configuration",
        );
      },
    });

    const isOff = cron.enabled === false;
    const hasJobs = Object.keys(cron.jobs).length > 0;
    let isBegun = false;
    const schedules = async (): Promise<Schedules> => {
      const { engine, service } = (await parts()).cron;
      isBegun = true;
      if (!isOff) await engine.begin(host.started);
      return service;
    };
    const working = (): Promise<Schedules> => {
      if (!isOff) return schedules();
      throw new ServiceError(
        "SERVICE_UNAVAILABLE",
        "Schedules are off: cron.enabled is false in the configuration",
      );
    };
    let isTold = told.cron === false;
    const tellModels = (): void => {
      if (isTold || host.signal.aborted) return;
      isTold = true;
      host.contribute(promptSegmentsPoint, cronSegment);
    };
    if (told.cron ?? cron.enabled ?? hasJobs) tellModels();
    const service: Schedules = {
      list: async (query) => (await schedules()).list(query),
      get: async (id) => (await schedules()).get(id),
      async create(request) {
        const made = await (await working()).create(request);
        tellModels();
        return made;
      },
      update: async (id, request) => (await working()).update(id, request),
      delete: async (id) => (await schedules()).delete(id),
      run: async (id) => (await working()).run(id),
      runs: async (id, page) => (await schedules()).runs(id, page),
    };
    host.provideService(schedulesHandle, service, { forCaller: (caller) => schedulesFor(service, caller) });

    // Before the host is ready, so that a later crash loses none.
    if (hasJobs && !isOff) await schedules();
    if (heartbeat.enabled) await hearts();
    const begin = async (): Promise<void> => {
      await host.started;
      if (host.signal.aborted || isOff || isBegun) return;
      const storage = host.storage("schedules");
      const has = async (prefix: string): Promise<boolean> =>
        (await storage.list({ prefix, limit: 1 }, storedNothingSchema)).length > 0;
      const hasSchedules = await has(keys.prefixes.schedule);
      if (hasSchedules) tellModels();
      if (hasSchedules || (await has(keys.prefixes.open))) await schedules();
    };
    void begin().catch((error: unknown) => {
      if (!host.signal.aborted) host.log.error("Schedules could not begin", { error: errorMessage(error) });
    });
  },
);

/** Prompts and tools read files of the working folder. */
function schedulesFor(service: Schedules, caller: Caller): Partial<Schedules> {
  return {
    async create(asked) {
      const request = { ...asked }; // Copied once: a getter could return another folder later.
      if (typeof request.cwd === "string") assertCallerReads(caller, request.cwd);
      return service.create(request);
    },
  };
}

export default extension;
