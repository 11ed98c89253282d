import * as z from "zod";
import { failureSchema } from "../values/failure.ts";
import { conversationIdSchema, turnIdSchema, wakeIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/**
 * `quiet`: nothing needs attention. `alert`: the reply is for the user. Without a model call: `empty` (no tasks in
 * the file), `busy` (a turn was running), `budget` (daily budget used up), `missed` (the host was not running).
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

/** One wake of the heartbeat, with its outcome and usage. */
export const heartbeatWakeSchema = lazySchema(() =>
  z.object({
    id: wakeIdSchema,
    dueAt: timestampSchema,
    /** Outcome; `null` while running. `empty`, `busy`, `budget`, `missed`: no model was called; see `error`. */
    outcome: wakeOutcomeSchema.nullable(),
    /** Conversation of its turn; `null` without a model call. */
    conversationId: conversationIdSchema.nullable(),
    /** `null` without a model call. */
    turnId: turnIdSchema.nullable(),
    endedAt: timestampSchema.nullable(),
    /** The full reply; `null` without a model call. */
    reply: z.string().nullable(),
    /** Equal to the previous alert. */
    repeated: z.boolean(),
    tokens: z.int().nonnegative(),
    /** US dollars, as far as prices are known. */
    usd: z.number().nonnegative(),
    /** Model calls not included in `usd`: no known price or no reported usage. */
    unpriced: z.int().nonnegative(),
    /** Why it failed, or why no model was called. */
    error: failureSchema.nullable(),
  }),
);
export type HeartbeatWake = z.infer<typeof heartbeatWakeSchema>;
export type WakeOutcome = z.infer<typeof wakeOutcomeSchema>;

/** State of the heartbeat and today's usage. */
export const heartbeatSchema = lazySchema(() =>
  z.object({
    /** Whether it is enabled. */
    enabled: z.boolean(),
    /** Next time; `null` if disabled. Outside its hours, the first time within. */
    nextAt: timestampSchema.nullable(),
    /** Conversation of its turns; `null` until created. */
    conversationId: conversationIdSchema.nullable(),
    /** The last wake, if any. */
    lastWake: heartbeatWakeSchema.nullable(),
    /** The last wake that the user should see. */
    lastAlert: heartbeatWakeSchema.nullable(),
    /** Input and output tokens of today's wakes. */
    tokensToday: z.int().nonnegative(),
    /** US dollars, as far as prices are known. */
    usdToday: z.number().nonnegative(),
    /** Calls not included in `usdToday`. */
    unpricedToday: z.int().nonnegative(),
  }),
);
export type Heartbeat = z.infer<typeof heartbeatSchema>;
