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

const scheduleParamsSchema = lazySchema(() => z.object({ id: z.string() }));

export const scheduleResponseSchema = lazySchema(() => z.object({ schedule: scheduleSchema }));
export const schedulesResponseSchema = lazySchema(() =>
  z.object({
    schedules: z.array(scheduleSchema),
    nextCursor: z.string().optional(),
  }),
);
export const scheduleRunResponseSchema = lazySchema(() => z.object({ run: scheduleRunSchema }));
export const scheduleRunsResponseSchema = lazySchema(() =>
  z.object({
    runs: z.array(scheduleRunSchema),
    nextCursor: z.string().optional(),
  }),
);

/**
 * Routes of schedules. Changes require `admin` instead of `converse`: a schedule runs models autonomously, with
 * costs, also after the token that created it has ended.
 */
export const scheduleRoutes = {
  listSchedules: {
    method: "GET",
    path: "/schedules",
    access: "read",
    summary: "The schedules, by their ids, with when each is due next and how it ran last",
    status: 200,
    query: schedulesQuerySchema,
    response: schedulesResponseSchema,
  },
  createSchedule: {
    method: "POST",
    path: "/schedules",
    access: "admin",
    summary: "Have a model do something at its time: by a cron expression, at an interval, or once",
    status: 201,
    body: createScheduleRequestSchema,
    response: scheduleResponseSchema,
  },
  getSchedule: {
    method: "GET",
    path: "/schedules/:id",
    access: "read",
    params: scheduleParamsSchema,
    summary: "One schedule",
    status: 200,
    response: scheduleResponseSchema,
  },
  updateSchedule: {
    method: "PATCH",
    path: "/schedules/:id",
    access: "admin",
    params: scheduleParamsSchema,
    summary: "Pause a schedule, or let it go on",
    status: 200,
    body: updateScheduleRequestSchema,
    response: scheduleResponseSchema,
  },
  deleteSchedule: {
    method: "DELETE",
    path: "/schedules/:id",
    access: "admin",
    params: scheduleParamsSchema,
    summary: "Delete a schedule with its history; what runs of it runs to its end",
    status: 200,
    response: deletedResponseSchema,
  },
  runSchedule: {
    method: "POST",
    path: "/schedules/:id/run",
    access: "admin",
    params: scheduleParamsSchema,
    summary: "Run a schedule now, beside its times, also while it is paused",
    status: 202,
    response: scheduleRunResponseSchema,
  },
  listScheduleRuns: {
    method: "GET",
    path: "/schedules/:id/runs",
    access: "read",
    params: scheduleParamsSchema,
    summary: "What came of its times, newest first: the turn, the reply, the tokens",
    status: 200,
    query: pageQuerySchema,
    response: scheduleRunsResponseSchema,
  },
} as const satisfies Record<string, Route>;
