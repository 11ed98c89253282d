import {
  conversationIdSchema,
  failureSchema,
  heartbeatWakeSchema,
  lazySchema,
  turnIdSchema,
  wakeIdSchema,
} from "@incipit/schema";
import * as z from "zod";

export const storedBeatSchema = lazySchema(() =>
  z.object({
    anchorMs: z.int(),
    everyMs: z.int(),
    nextMs: z.int(),
    openWakeId: wakeIdSchema.nullable(),
    /** Replaced by the next equal skipped wake. */
    idleWakeId: wakeIdSchema.nullable(),
    lastAlertId: wakeIdSchema.nullable(),
  }),
);
export type StoredBeat = z.infer<typeof storedBeatSchema>;

export const storedWakeSchema = lazySchema(() =>
  z.object({
    id: wakeIdSchema,
    dueMs: z.int(),
    text: z.string(),
    outcome: heartbeatWakeSchema.shape.outcome,
    conversationId: conversationIdSchema.nullable(),
    turnId: turnIdSchema.nullable(),
    afterSeq: z.int().nonnegative(),
    endedMs: z.int().nullable(),
    reply: z.string().nullable(),
    repeated: z.boolean(),
    tokens: z.int().nonnegative(),
    usd: z.number().nonnegative().default(0),
    unpriced: z.int().nonnegative().default(0),
    error: failureSchema.nullable(),
  }),
);
export type StoredWake = z.infer<typeof storedWakeSchema>;

/** The day is absent in older entries. */
export const storedOwnSchema = lazySchema(() =>
  z.object({ id: conversationIdSchema, day: z.string().exactOptional() }),
);

export const storedResponseSchema = lazySchema(() => z.object({ notify: z.boolean() }));

const wakePrefix = "wake/";

export const keys = {
  beat: "beat",
  own: "own",
  wakes: wakePrefix,
  wake: (id: string): string => `${wakePrefix}${id}`,
  response: (wakeId: string): string => `response/${wakeId}`,
};
