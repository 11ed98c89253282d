import { DaySpending, gatewaySegment, ownTimeZone } from "@incipit/gateway-protocol";
import { assertCallerReads, defineExtension, errorMessage, type Caller, type Extension } from "@incipit/kernel";
import {
  chatsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  promptSegmentsPoint,
  schedulesHandle,
  ServiceError,
  unattendedHandle,
  type Schedules,
} from "@incipit/service-contract";
import { configuration, configuredJobs } from "./configuration.ts";
import type { Engine } from "./engine.ts";
import { keys, storedNothingSchema } from "./stored.ts";

const extension: Extension = defineExtension(
  {
    id: "cron",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true },
    dependsOn: { required: [], optional: ["chats@1", "conversation-records@1", "conversations@1", "unattended@1"] },
    provides: ["schedules@1"],
    contributes: ["prompt-segments@1"],
    // Two instances would claim concurrently and follow the same turns.
    swap: "exclusive",
  },
  { configuration },
  async (host, values) => {
    const { enabled, max_tokens_per_day: maxTokensPerDay, max_usd_per_day: maxUsdPerDay } = values.cron;
    const storage = host.storage("schedules");
    const conversations = host.getService(conversationsHandle);
    const isOff = enabled === false;
    const jobs = configuredJobs(values);

    let loaded: Promise<Engine> | undefined;
    const load = async (): Promise<Engine> => {
      const [{ Engine }, { ReportedFailures }] = await Promise.all([
        import("./engine.ts"),
        import("./reported-failures.ts"),
      ]);
      const timeZone = values.cron.time_zone ?? ownTimeZone();
      const context = {
        storage,
        conversations,
        chats: host.getService(chatsHandle),
        clock: host.clock,
        log: host.log,
        signal: host.signal,
        spending: new DaySpending({ storage, clock: host.clock, timeZone, keptDays: 0 }),
        records: host.getService(conversationRecordsHandle),
        unattended: host.getService(unattendedHandle),
        troubles: new ReportedFailures(),
        settings: { timeZone, maxTokensPerDay, maxUsdPerDay, maxRuns: values.max_runs },
      };
      const engine = new Engine(context, jobs);
      if (isOff) return engine;
      await engine.take();
      void host.started.then(() => engine.run()); // Runs depend on services of other extensions.
      return engine;
    };
    const schedules = async (): Promise<Schedules> => (await (loaded ??= load())).schedules;
    const working = (): Promise<Schedules> => {
      if (!isOff) return schedules();
      throw new ServiceError(
        "SERVICE_UNAVAILABLE",
        "Schedules are off: cron.enabled is false in the configuration",
      );
    };

    let isTold = values.gateway_prompts.cron === false;
    const tellModels = (): void => {
      if (isTold || host.signal.aborted) return;
      isTold = true;
      host.contribute(promptSegmentsPoint, gatewaySegment("cron"));
    };
    if (values.gateway_prompts.cron ?? enabled ?? jobs.length > 0) tellModels();

    const has = async (prefix: string): Promise<boolean> =>
      (await storage.list({ prefix, limit: 1 }, storedNothingSchema)).length > 0;
    // Before the host is ready, so that a later crash loses none.
    if (jobs.length > 0 && !isOff) await schedules();
    const begin = async (): Promise<void> => {
      await host.started;
      if (host.signal.aborted || isOff || loaded !== undefined) return;
      const hasSchedules = await has(keys.prefixes.schedule);
      if (hasSchedules) tellModels();
      if (hasSchedules || (await has(keys.prefixes.open))) await schedules();
    };
    void begin().catch((error: unknown) => {
      if (!host.signal.aborted) host.log.error("Schedules could not begin", { error: errorMessage(error) });
    });

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
