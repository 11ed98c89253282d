import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { scheduleIdSchema } from "./schedule-id.ts";

const spentFields = {
  tokens: z.int().nonnegative(),
  usd: z.number().nonnegative(),
  unpriced: z.int().nonnegative(),
};

/** What may be spent in a day without a person, and what was. */
export const unattendedStateSchema = lazySchema(() =>
  z.object({
    /** Where its days begin. */
    timeZone: z.string(),
    /** `null`: no bound. */
    maxTokensPerDay: z.int().nullable(),
    /** `null`: no bound. */
    maxUsdPerDay: z.number().nullable(),
    today: z.object(spentFields),
  }),
);
export type UnattendedState = z.infer<typeof unattendedStateSchema>;

/** What one schedule, or the heartbeat, has spent in one day. */
export const unattendedCostSchema = lazySchema(() =>
  z.object({
    /** `YYYY-MM-DD`. */
    day: z.string(),
    /** `null`: the heartbeat. */
    schedule: scheduleIdSchema.nullable(),
    ...spentFields,
  }),
);
export type UnattendedCost = z.infer<typeof unattendedCostSchema>;
