import * as z from "zod";
import { failureSchema } from "../values/failure.ts";
import { conversationIdSchema, turnIdSchema, wakeIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/**
 * `quiet`: nothing needs attention. `alert`: the reply is for a person. The others asked no model: `empty` (the file has
 * nothing to do), `busy` (a turn was running there), `budget` (the day's bound is reached), `missed` (the host was away).
 */
const wakeOutcomeSchema = z.enum([
  "quiet",
  "alert",
  "failed",
  "cancelled",
  "interrupted",
  "empty",
  "busy",
  "budget",
  "missed",
]);

/** One time at which the host looked whether something needs attention. */
export const heartbeatWakeSchema = lazySchema(() =>
  z.object({
    id: wakeIdSchema,
    dueAt: timestampSchema,
    /** `null`: it is under way. */
    outcome: wakeOutcomeSchema.nullable(),
    conversationId: conversationIdSchema.nullable(),
    /** `null`: no model was asked. */
    turnId: turnIdSchema.nullable(),
    endedAt: timestampSchema.nullable(),
    /** What the model said, whole; `null`: it was not asked. */
    reply: z.string().nullable(),
    /** The alert before it says the same. */
    repeated: z.boolean(),
    /** Input and output tokens, as far as the vendor reports them. */
    tokens: z.int().nonnegative(),
    /** US dollars, as far as prices are known. */
    usd: z.number().nonnegative(),
    /** Model calls that are not in `usd`: no price is known, or the vendor reports no tokens. */
    unpriced: z.int().nonnegative(),
    /** Why it failed, or why no model was asked. */
    error: failureSchema.nullable(),
  }),
);
export type HeartbeatWake = z.infer<typeof heartbeatWakeSchema>;
export type WakeOutcome = z.infer<typeof wakeOutcomeSchema>;

/** How the heartbeat is. */
export const heartbeatSchema = lazySchema(() =>
  z.object({
    enabled: z.boolean(),
    /** `null`: it is off. Outside its hours, the first time within. */
    nextAt: timestampSchema.nullable(),
    /** `null`: not made yet. */
    conversationId: conversationIdSchema.nullable(),
    lastWake: heartbeatWakeSchema.nullable(),
    /** The last one that a person should see. */
    lastAlert: heartbeatWakeSchema.nullable(),
    tokensToday: z.int().nonnegative(),
    /** What they cost in US dollars, as far as prices are known. */
    usdToday: z.number().nonnegative(),
    /** Calls of them that are not in `usdToday`. */
    unpricedToday: z.int().nonnegative(),
  }),
);
export type Heartbeat = z.infer<typeof heartbeatSchema>;
