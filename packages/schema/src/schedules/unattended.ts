import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { scheduleIdSchema } from "./schedule-id.ts";

const spentFields = {
  tokens: z.int().nonnegative(),
  /** US dollars at the prices of the time. */
  usd: z.number().nonnegative(),
  /** Model calls not included in `usd`. */
  unpriced: z.int().nonnegative(),
};

/** Daily budget of autonomous runs, and usage. */
export const unattendedStateSchema = lazySchema(() =>
  z.object({
    /** Time zone of its days. */
    timeZone: z.string(),
    /** Daily limit of input and output tokens; `null`: none. */
    maxTokensPerDay: z.int().nullable(),
    /** Daily limit in US dollars; `null`: none. */
    maxUsdPerDay: z.number().nullable(),
    /** Usage of today. */
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
