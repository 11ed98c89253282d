import {
  conversationIdSchema,
  createScheduleRequestSchema,
  failureSchema,
  lazySchema,
  scheduleRunIdSchema,
  scheduleRunSchema,
  turnIdSchema,
} from "@incipit/schema";
import * as z from "zod";

/** Keys sort by time for the next 30,000 years. */
const timeDigits = 15;

export const storedScheduleSchema = lazySchema(() =>
  z.object({
    definition: createScheduleRequestSchema,
    source: z.enum(["configuration", "api"]),
    paused: z.boolean(),
    anchorMs: z.int(),
    /** The next unclaimed time; `null` for none, or while paused. */
    nextMs: z.int().nullable(),
  }),
);
export type StoredSchedule = z.infer<typeof storedScheduleSchema>;

/** Runs exactly once across restarts. */
export const storedRunSchema = lazySchema(() => {
  const { conversation, model, profile, cwd, tools, retries } = createScheduleRequestSchema.shape;
  return z.object({
    id: scheduleRunIdSchema,
    occurrences: z.array(
      z.object({ scheduleId: z.string(), dueMs: z.int(), missed: z.boolean(), asked: z.boolean() }),
    ),
    text: z.string(),
    title: z.string(),
    conversation,
    model,
    profile,
    cwd,
    tools,
    tells: z.array(z.string()),
    retries,
    status: scheduleRunSchema.shape.status,
    conversationId: conversationIdSchema.nullable(),
    turnId: turnIdSchema.nullable(),
    afterSeq: z.int().nonnegative(),
    attempts: z.int().nonnegative(),
    notBeforeMs: z.int(),
    claimedMs: z.int(),
    endedMs: z.int().nullable(),
    reply: z.string().nullable(),
    quiet: z.boolean(),
    /** Whether the alert is the same as the previous one. */
    repeated: z.boolean(),
    tokens: z.int().nonnegative(),
    usd: z.number().nonnegative(),
    unpriced: z.int().nonnegative(),
    error: failureSchema.nullable(),
  });
});
export type StoredRun = z.infer<typeof storedRunSchema>;

export const storedOverSchema = lazySchema(() => z.object({ times: z.string() }));

export const storedOwnSchema = lazySchema(() => z.object({ id: conversationIdSchema, day: z.string() }));

export const storedReferenceSchema = lazySchema(() => z.object({ runId: scheduleRunIdSchema }));

export const storedNothingSchema = lazySchema(() => z.object({}));

const prefixes = {
  schedule: "schedule/",
  due: "due/",
  run: "run/",
  open: "open/",
} as const;

export const keys = {
  prefixes,
  /** Lower bound after a key: a space sorts before every character of ids. */
  behind: (key: string): string => `${key} `,
  schedule: (id: string): string => `${prefixes.schedule}${id}`,
  /** Sorted by time, the next one first. */
  due: (atMs: number, id: string): string => `${prefixes.due}${timeText(atMs)}/${id}`,
  /** Exclusive. */
  dueEnd: (atMs: number): string => `${prefixes.due}${timeText(atMs + 1)}`,
  dueMs: (key: string): number => Number(key.slice(prefixes.due.length, prefixes.due.length + timeDigits)),
  dueId: (key: string): string => key.slice(prefixes.due.length + timeDigits + 1),
  run: (id: string): string => `${prefixes.run}${id}`,
  open: (id: string): string => `${prefixes.open}${id}`,
  pending: (scheduleId: string): string => `pending/${scheduleId}/`,
  pendingRun: (scheduleId: string, runId: string): string => `pending/${scheduleId}/${runId}`,
  history: (scheduleId: string): string => `history/${scheduleId}/`,
  historyRun: (scheduleId: string, runId: string): string => `history/${scheduleId}/${runId}`,
  over: (scheduleId: string): string => `over/${scheduleId}`,
  own: (scheduleId: string): string => `own/${scheduleId}`,
  /** The last due time without a model call, where only that one is kept. */
  skipped: (scheduleId: string): string => `skipped/${scheduleId}`,
  alert: (scheduleId: string): string => `alert/${scheduleId}`,
};

function timeText(atMs: number): string {
  return String(atMs).padStart(timeDigits, "0");
}
