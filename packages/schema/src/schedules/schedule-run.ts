import * as z from "zod";
import { failureSchema } from "../values/failure.ts";
import { conversationIdSchema, scheduleRunIdSchema, turnIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { scheduleIdSchema } from "./schedule-id.ts";

/**
 * `waiting`: it runs as soon as it can, or is tried again. `skipped`: it was due and no model was asked; `error` says why.
 * The others are of its turn.
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
export type ScheduleRunStatus = z.infer<typeof scheduleRunStatusSchema>;

/** One message to a model: what was due at once in one conversation. */
export const scheduleRunSchema = lazySchema(() =>
  z.object({
    id: scheduleRunIdSchema,
    occurrences: z.array(
      z.object({
        scheduleId: scheduleIdSchema,
        dueAt: timestampSchema,
        /** It ran after its time, as nobody was there then. */
        missed: z.boolean(),
        /** A person had it run. */
        asked: z.boolean(),
      }),
    ),
    status: scheduleRunStatusSchema,
    /** `null`: not made yet. */
    conversationId: conversationIdSchema.nullable(),
    /** The turn of the last try. */
    turnId: turnIdSchema.nullable(),
    /** How often it was tried; 0: not yet. */
    attempts: z.int().nonnegative(),
    claimedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    /** The last text of the model, at most 20,000 characters of it. */
    reply: z.string().nullable(),
    /** All is well: nobody has to read the reply. */
    quiet: z.boolean(),
    /** Input and output tokens of all tries, as far as the vendor reports them. */
    tokens: z.int().nonnegative(),
    /** US dollars, as far as prices are known. */
    usd: z.number().nonnegative(),
    /** Model calls that are not in `usd`: no price is known, or the vendor reports no tokens. */
    unpriced: z.int().nonnegative(),
    error: failureSchema.nullable(),
  }),
);
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;
