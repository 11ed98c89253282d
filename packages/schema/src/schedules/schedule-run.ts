import * as z from "zod";
import { failureSchema } from "../values/failure.ts";
import { conversationIdSchema, scheduleRunIdSchema, turnIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { scheduleIdSchema } from "./schedule-id.ts";

/**
 * `waiting`: queued, or waiting for a retry. `skipped`: due, but no model was called; see `error`. Other values are
 * the status of its turn.
 */
const scheduleRunStatusSchema = z.enum([
  "waiting",
  "running",
  "completed",
  "failed",
  "cancelled",
  "interrupted",
  "skipped",
]);

/** One message to a model, for all occurrences due at the same time in one conversation. */
export const scheduleRunSchema = lazySchema(() =>
  z.object({
    id: scheduleRunIdSchema,
    /** Occurrences: those due at the same time in one conversation share one message. */
    occurrences: z.array(
      z.object({
        scheduleId: scheduleIdSchema,
        /** Due time; for a manual start, the time of the request. */
        dueAt: timestampSchema,
        /** Ran late because the host was not running. */
        missed: z.boolean(),
        /** Started manually. */
        asked: z.boolean(),
      }),
    ),
    status: scheduleRunStatusSchema,
    /** Conversation of the run; `null` until created. */
    conversationId: conversationIdSchema.nullable(),
    /** Turn of the last attempt. */
    turnId: turnIdSchema.nullable(),
    /** Number of attempts, from 0. */
    attempts: z.int().nonnegative(),
    /** Start of processing; from then on, the run is never repeated. */
    claimedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    /** Last text of the model, up to 20,000 characters. */
    reply: z.string().nullable(),
    /** Nothing in the reply needs the user's attention. */
    quiet: z.boolean(),
    /** Input and output tokens of all attempts, as far as reported. */
    tokens: z.int().nonnegative(),
    /** US dollars, as far as prices are known. */
    usd: z.number().nonnegative(),
    /** Model calls not included in `usd`: no known price or no reported usage. */
    unpriced: z.int().nonnegative(),
    /** What failed, or why it was skipped; `null` if nothing did. */
    error: failureSchema.nullable(),
  }),
);
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;
