import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  CreateScheduleRequest,
  PageQuery,
  Schedule,
  ScheduleRun,
  SchedulesQuery,
  UpdateScheduleRequest,
} from "@incipit/schema";
import type { Page } from "./conversations.ts";

/** Tasks that models are given at their time. Every method rejects with a {@link ServiceError}. */
export interface Schedules {
  /** By id. */
  list(query: SchedulesQuery): Promise<Page<Schedule>>;
  get(id: string): Promise<Schedule>;
  /** Rejects with `INVALID_REQUEST` for a time that is none or never comes, and with `SCHEDULE_EXISTS`. */
  create(request: CreateScheduleRequest): Promise<Schedule>;
  /** Pauses it, or lets it go on. Rejects with `SCHEDULE_CONFIGURED` for one of the configuration. */
  update(id: string, request: UpdateScheduleRequest): Promise<Schedule>;
  /** What runs of it runs to its end. Rejects with `SCHEDULE_CONFIGURED` for one of the configuration. */
  delete(id: string): Promise<void>;
  /** Runs it now, beside its times, also while it is paused. Resolves once that is stored: it outlives the host. */
  run(id: string): Promise<ScheduleRun>;
  /** Newest first; the last 100 are kept. */
  runs(id: string, page: PageQuery): Promise<Page<ScheduleRun>>;
}

export const schedulesHandle: ServiceHandle<Schedules> = defineHandle<Schedules>("schedules@1", {
  list: "function",
  get: "function",
  create: "function",
  update: "function",
  delete: "function",
  run: "function",
  runs: "function",
});
