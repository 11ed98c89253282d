import {
  conversationIdSchema,
  failureSchema,
  heartbeatWakeSchema,
  lazySchema,
  turnIdSchema,
  wakeIdSchema,
} from "@incipit/schema";
import * as z from "zod";

/** From when the times count, which one comes next, and what is said of the last alert. */
export const storedBeatSchema = lazySchema(() =>
  z.object({
    anchorMs: z.int(),
    everyMs: z.int(),
    nextMs: z.int(),
    /** The wake that is under way. */
    openWakeId: wakeIdSchema.nullable(),
    /** The last one that asked nobody: others like it take its place. */
    idleWakeId: wakeIdSchema.nullable(),
    lastAlertId: wakeIdSchema.nullable(),
  }),
);
export type StoredBeat = z.infer<typeof storedBeatSchema>;

export const storedWakeSchema = lazySchema(() =>
  z.object({
    id: wakeIdSchema,
    dueMs: z.int(),
    /** The message, as it is sent however often. */
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

/** The conversation that was made for wakes, and on which day; absent where that was not kept. */
export const storedOwnSchema = lazySchema(() =>
  z.object({ id: conversationIdSchema, day: z.string().exactOptional() }),
);

/** What the model of a wake has said by its tool. */
export const storedResponseSchema = lazySchema(() => z.object({ notify: z.boolean() }));

const wakePrefix = "wake/";

/** What is stored where. */
export const keys = {
  beat: "beat",
  own: "own",
  wakes: wakePrefix,
  wake: (id: string): string => `${wakePrefix}${id}`,
  response: (wakeId: string): string => `response/${wakeId}`,
};
