import type { Host } from "@incipit/kernel";
import { createScheduleRequestSchema } from "@incipit/schema";
import {
  chatsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  hostDefaultsHandle,
  profilesHandle,
} from "@incipit/service-contract";
import { Budget } from "./budget/budget.ts";
import { allSchedulesId, heartbeatId, SpendingLedger, spenderOf } from "./budget/spending-ledger.ts";
import type { SchedulesValues } from "./configuration.ts";
import { configuredJobs } from "./cron/configured-jobs.ts";
import { CronKind } from "./cron/cron-kind.ts";
import { SchedulesService } from "./cron/schedules-service.ts";
import { Engine } from "./engine/engine.ts";
import { ReportedFailures } from "./engine/reported-failures.ts";
import { HeartbeatKind } from "./heartbeat/heartbeat-kind.ts";
import { HeartbeatService } from "./heartbeat/heartbeat-service.ts";
import { respondToolName } from "./heartbeat/respond-tool.ts";
import { ownTimeZone } from "./times/time-zone.ts";

export interface Parts {
  readonly budget: Budget;
  readonly cron: { readonly engine: Engine; readonly service: SchedulesService };
  readonly heartbeat: { readonly engine: Engine; readonly service: HeartbeatService };
}

/** Tasks and the heartbeat have an engine each, so that neither waits for the other. */
export function createParts(
  host: Host,
  { unattended, cron, heartbeat, max_runs: maxRuns }: SchedulesValues,
): Parts {
  const { clock, log, signal, fs } = host;
  const ownZone = ownTimeZone();
  const zones = {
    unattended: unattended.time_zone ?? ownZone,
    cron: cron.time_zone ?? ownZone,
    heartbeat: heartbeat.time_zone ?? ownZone,
  };
  const zoneOf = (id: string): string => {
    if (id === heartbeatId) return zones.heartbeat;
    return id === allSchedulesId || spenderOf(id) !== undefined ? zones.cron : zones.unattended;
  };
  const services = {
    chats: host.getService(chatsHandle),
    conversations: host.getService(conversationsHandle),
    records: host.getService(conversationRecordsHandle),
  };
  const defaults = host.getService(hostDefaultsHandle).get();
  const budget = new Budget({
    ...services,
    ledger: new SpendingLedger({ storage: host.storage("spent"), clock, zoneOf }),
    log,
    profiles: host.getService(profilesHandle),
    defaults,
    timeZone: zones.unattended,
    maxTokensPerDay: unattended.max_tokens_per_day ?? null,
    maxUsdPerDay: unattended.max_usd_per_day ?? null,
  });
  const shared = { ...services, clock, log, signal, budget };

  const tasks = new CronKind({
    timeZone: zones.cron,
    maxRuns,
    maxTokensPerDay: cron.max_tokens_per_day ?? null,
    maxUsdPerDay: cron.max_usd_per_day ?? null,
  });
  const taskContext = {
    ...shared,
    storage: host.storage("schedules"),
    failures: new ReportedFailures(),
    kind: tasks,
  };
  const taskEngine = new Engine(taskContext, configuredJobs(cron.jobs));

  const storage = host.storage("heartbeat");
  const [from, to] = heartbeat.active_hours ?? [];
  const kind = new HeartbeatKind({
    ...shared,
    storage,
    fs,
    cwd: defaults.cwd,
    timeZone: zones.heartbeat,
    activeHours: from === undefined || to === undefined ? undefined : [from, to],
    isDaily: heartbeat.conversation === "daily",
  });
  const isCreated = ["own", "daily", "fresh"].includes(heartbeat.conversation);
  const definition = createScheduleRequestSchema.parse({
    id: heartbeatId,
    task: heartbeat.file,
    every: heartbeat.every,
    missed: "skip",
    conversation: heartbeat.conversation === "daily" ? "own" : heartbeat.conversation,
    model: isCreated ? heartbeat.model : undefined,
    profile: isCreated ? heartbeat.profile : undefined,
    tools: heartbeat.tools === undefined ? undefined : [...heartbeat.tools, respondToolName],
    tell: heartbeat.tell,
    maxTokensPerDay: heartbeat.max_tokens_per_day,
    maxUsdPerDay: heartbeat.max_usd_per_day,
  });
  const engine = new Engine({ ...shared, storage, failures: new ReportedFailures(), kind }, [
    { definition, paused: false },
  ]);
  return {
    budget,
    cron: { engine: taskEngine, service: new SchedulesService(taskContext, taskEngine) },
    heartbeat: {
      engine,
      service: new HeartbeatService({
        storage,
        budget,
        kind,
        engine,
        definition,
        isEnabled: heartbeat.enabled,
      }),
    },
  };
}
