import { scheduleIdSchema } from "@incipit/schema";
import { need, type Services } from "../context/services.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";

export function scheduleHandlers({ heartbeat, schedules, unattended }: Services) {
  const service = () => need(schedules, "list of schedules");
  const beats = () => need(heartbeat, "heartbeat");
  const budget = () => need(unattended, "budget of autonomous runs");
  return {
    listSchedules: async (call) => {
      const { items, ...rest } = await service().list(call.query());
      return call.answer({ schedules: items, ...rest });
    },
    createSchedule: async (call) => {
      const body = await call.body();
      return call.answer({ schedule: await service().create(body) });
    },
    getSchedule: async (call) => call.answer({ schedule: await service().get(scheduleId(call)) }),
    updateSchedule: async (call) => {
      const body = await call.body();
      return call.answer({ schedule: await service().update(scheduleId(call), body) });
    },
    deleteSchedule: async (call) => {
      await service().delete(scheduleId(call));
      return call.answer({ deleted: true });
    },
    runSchedule: async (call) => call.answer({ run: await service().run(scheduleId(call)) }),
    listScheduleRuns: async (call) => {
      const { items, ...rest } = await service().runs(scheduleId(call), call.query());
      return call.answer({ runs: items, ...rest });
    },
    getHeartbeat: async (call) => call.answer({ heartbeat: await beats().get() }),
    listHeartbeatWakes: async (call) => {
      const { items, ...rest } = await beats().wakes(call.query());
      return call.answer({ wakes: items, ...rest });
    },
    wakeHeartbeat: async (call) => call.answer({ wake: await beats().wake() }),
    getUnattended: async (call) => {
      const [state, { items, ...rest }] = await Promise.all([budget().get(), budget().costs(call.query())]);
      return call.answer({ unattended: state, costs: items, ...rest });
    },
  } satisfies Partial<Handlers>;
}

function scheduleId(call: AnyCall): string {
  const next = { action: "list-schedules" } as const;
  return call.id(scheduleIdSchema, { of: "schedule", param: "id", code: "SCHEDULE_UNKNOWN", next });
}
