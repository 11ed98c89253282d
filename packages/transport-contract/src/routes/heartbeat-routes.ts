import { heartbeatSchema, heartbeatWakeSchema, lazySchema, pageQuerySchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** Routes of the heartbeat. */
export const heartbeatRoutes = {
  /** Returns whether the heartbeat is enabled, its next time and the last alert. */
  getHeartbeat: {
    method: "GET",
    path: "/heartbeat",
    access: "read",
    summary: "The heartbeat: enabled, next run, last reply",
    response: lazySchema(() => z.object({ heartbeat: heartbeatSchema })),
  },
  /**
   * Lists the last 200 wakes. Of the times at which no model was called, only the last is included, with the
   * reason.
   */
  listHeartbeatWakes: {
    method: "GET",
    path: "/heartbeat/wakes",
    access: "read",
    summary: "The heartbeat's runs, newest first: quiet, alert or skipped",
    query: pageQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Wakes, newest first. */
        wakes: z.array(heartbeatWakeSchema),
        nextCursor: z.string().optional(),
      }),
    ),
  },
  /**
   * Returns as soon as the wake is stored, which survives a restart; follow it in the list. Returns
   * `CONVERSATION_BUSY` while another one is in progress.
   */
  wakeHeartbeat: {
    method: "POST",
    path: "/heartbeat/wake",
    access: "converse",
    summary: "Run the heartbeat now, outside its schedule",
    status: 202,
    response: lazySchema(() => z.object({ wake: heartbeatWakeSchema })),
  },
} as const satisfies Record<string, Route>;
