import type { heartbeatWakeSchema } from "@incipit/schema";
import type * as z from "zod";
import type { RouteExamples } from "./route-example.ts";
import { conversation } from "./shared-values.ts";

const wake: z.input<typeof heartbeatWakeSchema> = {
  id: "01a208b1-d11e-7c02-8f35-9d0e6a7b4c77",
  dueAt: "2026-11-23T08:30:00.000Z",
  outcome: "alert",
  conversationId: conversation.id,
  turnId: "01a208b1-d12f-7e6d-b1a8-0c5d7f9e2b77",
  endedAt: "2026-11-23T08:30:06.120Z",
  reply: "The disk of the build machine is 94 % full.",
  repeated: false,
  tokens: 1_204,
  usd: 0.004,
  unpriced: 0,
  error: null,
};

export const heartbeatExamples = {
  getHeartbeat: {
    answer: {
      heartbeat: {
        enabled: true,
        nextAt: "2026-11-23T09:00:00.000Z",
        conversationId: conversation.id,
        lastWake: wake,
        lastAlert: wake,
        tokensToday: 19_264,
        usdToday: 0.043,
        unpricedToday: 0,
      },
    },
  },
  listHeartbeatWakes: {
    answer: { wakes: [wake] },
  },
  wakeHeartbeat: {
    answer: {
      wake: {
        ...wake,
        outcome: null,
        conversationId: null,
        turnId: null,
        endedAt: null,
        reply: null,
        tokens: 0,
        usd: 0,
      },
    },
  },
} satisfies RouteExamples;
