import { lazySchema, pageQuerySchema, unattendedCostSchema, unattendedStateSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** Route of the costs of autonomous runs. */
export const unattendedRoutes = {
  /**
   * Returns the limits of `[unattended]`, the usage of today, and the usage of each schedule and the heartbeat for
   * the last 31 days. At a limit, no further model is called.
   */
  getUnattended: {
    method: "GET",
    path: "/unattended",
    access: "read",
    summary: "The budget of autonomous runs, today's use, and use by day and schedule",
    query: pageQuerySchema,
    response: lazySchema(() =>
      z.object({
        unattended: unattendedStateSchema,
        /** Usage by day and schedule, newest day first; a page may be empty although others follow. */
        costs: z.array(unattendedCostSchema),
        nextCursor: z.string().optional(),
      }),
    ),
  },
} as const satisfies Record<string, Route>;
