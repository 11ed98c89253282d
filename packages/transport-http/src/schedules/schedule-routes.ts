import { scheduleIdSchema } from "@incipit/schema";
import { ServiceError, type Schedules } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";

type ScheduleRoute =
  | "listSchedules"
  | "createSchedule"
  | "getSchedule"
  | "updateSchedule"
  | "deleteSchedule"
  | "runSchedule"
  | "listScheduleRuns";

export function scheduleHandlers({ schedules, clock }: Services): Handlers<ScheduleRoute> {
  const service = (): Schedules => need(schedules, "list of schedules");
  return {
    listSchedules: async (context) => {
      const query = check(routes.listSchedules.query, context.req.query());
      const { items, ...rest } = await service().list(query);
      return answer(routes.listSchedules, { schedules: items, ...rest });
    },
    createSchedule: async (context, signal) => {
      const body = await readBody(context.req.raw, routes.createSchedule.body, { clock, signal });
      return answer(routes.createSchedule, { schedule: await service().create(body) });
    },
    getSchedule: async (context) =>
      answer(routes.getSchedule, { schedule: await service().get(scheduleId(context)) }),
    updateSchedule: async (context, signal) => {
      const body = await readBody(context.req.raw, routes.updateSchedule.body, { clock, signal });
      return answer(routes.updateSchedule, { schedule: await service().update(scheduleId(context), body) });
    },
    deleteSchedule: async (context) => {
      await service().delete(scheduleId(context));
      return answer(routes.deleteSchedule, { deleted: true });
    },
    runSchedule: async (context) => answer(routes.runSchedule, { run: await service().run(scheduleId(context)) }),
    listScheduleRuns: async (context) => {
      const page = check(routes.listScheduleRuns.query, context.req.query());
      const { items, ...rest } = await service().runs(scheduleId(context), page);
      return answer(routes.listScheduleRuns, { runs: items, ...rest });
    },
  };
}

function scheduleId(context: Context): string {
  const given = param(context, "id");
  const id = scheduleIdSchema.safeParse(given);
  if (id.success) return id.data;
  throw new ServiceError("SCHEDULE_UNKNOWN", `No schedule has the id "${given}"`, {
    next: { action: "list-schedules" },
  });
}
