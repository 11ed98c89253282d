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

/** Scheduled tasks. Every method rejects with a {@link ServiceError}. */
export interface Schedules {
  /** Lists schedules, sorted by id. */
  list(query: SchedulesQuery): Promise<Page<Schedule>>;
  get(id: string): Promise<Schedule>;
  /** @throws {ServiceError} `INVALID_REQUEST` for a time that is malformed or never occurs; `SCHEDULE_EXISTS`. */
  create(request: CreateScheduleRequest): Promise<Schedule>;
  /**
   * Pauses or resumes a schedule. @throws {ServiceError} `SCHEDULE_CONFIGURED` for a schedule of the configuration.
   */
  update(id: string, request: UpdateScheduleRequest): Promise<Schedule>;
  /**
   * Deletes a schedule; a running run completes. @throws {ServiceError} `SCHEDULE_CONFIGURED` for a schedule of the
   * configuration.
   */
  delete(id: string): Promise<void>;
  /** Starts a run now, also while paused. Resolves once it is stored; it survives a restart. */
  run(id: string): Promise<ScheduleRun>;
  /** Lists runs, newest first. The last 100 are kept. */
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
