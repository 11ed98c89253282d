import {
  createScheduleRequestSchema,
  lazySchema,
  pageQuerySchema,
  scheduleRunSchema,
  scheduleSchema,
  schedulesQuerySchema,
  updateScheduleRequestSchema,
} from "@incipit/schema";
import * as z from "zod";
import { deletedResponseSchema } from "./deleted-response.ts";
import type { Route } from "./route.ts";

const scheduleParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the schedule. */
    id: z.string(),
  }),
);

const scheduleResponseSchema = lazySchema(() => z.object({ schedule: scheduleSchema }));

/**
 * Routes of schedules. Changes require `admin` instead of `converse`: a schedule runs models autonomously, with
 * costs, also after the token that created it has ended.
 */
export const scheduleRoutes = {
  /** Lists schedules in pages, including those of the configuration. */
  listSchedules: {
    method: "GET",
    path: "/schedules",
    access: "read",
    summary: "The schedules, by id, with next and last run",
    query: schedulesQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Schedules by id. */
        schedules: z.array(scheduleSchema),
        nextCursor: z.string().optional(),
      }),
    ),
  },
  /**
   * Creates a task with one of `cron`, `every` and `at`. Each occurrence runs at most once, also across restarts.
   * It remains after its token has ended, and therefore requires `admin`.
   */
  createSchedule: {
    method: "POST",
    path: "/schedules",
    access: "admin",
    summary: "Create a schedule: a cron expression, an interval, or once",
    status: 201,
    body: createScheduleRequestSchema,
    response: scheduleResponseSchema,
  },
  /** Returns a schedule with its next occurrence, last run and usage of today. */
  getSchedule: {
    method: "GET",
    path: "/schedules/:id",
    access: "read",
    params: scheduleParamsSchema,
    summary: "One schedule",
    response: scheduleResponseSchema,
  },
  /**
   * Pauses or resumes a schedule. Occurrences during a pause are skipped and not run later. One of the
   * configuration returns `SCHEDULE_CONFIGURED`.
   */
  updateSchedule: {
    method: "PATCH",
    path: "/schedules/:id",
    access: "admin",
    params: scheduleParamsSchema,
    summary: "Pause or resume a schedule",
    body: updateScheduleRequestSchema,
    response: scheduleResponseSchema,
  },
  /**
   * Deletes a schedule with its history; the conversations of its runs remain. One of the configuration returns
   * `SCHEDULE_CONFIGURED`.
   */
  deleteSchedule: {
    method: "DELETE",
    path: "/schedules/:id",
    access: "admin",
    params: scheduleParamsSchema,
    summary: "Delete a schedule with its history; running turns finish",
    response: deletedResponseSchema,
  },
  /**
   * Returns as soon as the run is stored, which survives a restart; follow it in the history. Occurrences do not
   * change.
   */
  runSchedule: {
    method: "POST",
    path: "/schedules/:id/run",
    access: "admin",
    params: scheduleParamsSchema,
    summary: "Run a schedule now, even if paused",
    status: 202,
    response: lazySchema(() => z.object({ run: scheduleRunSchema })),
  },
  /** Lists the last 100 runs with due time, outcome and reply, including skipped ones with the reason. */
  listScheduleRuns: {
    method: "GET",
    path: "/schedules/:id/runs",
    access: "read",
    params: scheduleParamsSchema,
    summary: "The runs of a schedule, newest first: turn, reply, tokens",
    query: pageQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Runs, newest first. */
        runs: z.array(scheduleRunSchema),
        nextCursor: z.string().optional(),
      }),
    ),
  },
} as const satisfies Record<string, Route>;
