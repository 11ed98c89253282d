import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { scheduleIdSchema } from "./schedule-id.ts";

const spentFields = {
  tokens: z.int().nonnegative(),
  usd: z.number().nonnegative(),
  unpriced: z.int().nonnegative(),
};

/** Daily budget of autonomous runs, and usage. */
export const unattendedStateSchema = lazySchema(() =>
  z.object({
    /** Time zone of its days. */
    timeZone: z.string(),
    /** `null`: no limit. */
    maxTokensPerDay: z.int().nullable(),
    /** `null`: no limit. */
    maxUsdPerDay: z.number().nullable(),
    today: z.object(spentFields),
  }),
);
export type UnattendedState = z.infer<typeof unattendedStateSchema>;

/** Usage of one schedule, or the heartbeat, on one day. */
export const unattendedCostSchema = lazySchema(() =>
  z.object({
    /** `YYYY-MM-DD`. */
    day: z.string(),
    /** `null` for the heartbeat. */
    schedule: scheduleIdSchema.nullable(),
    ...spentFields,
  }),
);
export type UnattendedCost = z.infer<typeof unattendedCostSchema>;
