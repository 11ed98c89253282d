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

/** Digits of a time in a key: their order is that of the times, for the next 30,000 years. */
const timeDigits = 15;

export const storedScheduleSchema = lazySchema(() =>
  z.object({
    definition: createScheduleRequestSchema,
    source: z.enum(["configuration", "api"]),
    paused: z.boolean(),
    /** From where `every` counts. */
    anchorMs: z.int(),
    /** The first time that was not claimed yet; `null`: none comes, or it is paused. */
    nextMs: z.int().nullable(),
  }),
);
export type StoredSchedule = z.infer<typeof storedScheduleSchema>;

/** What was claimed: from here on it runs, once, whatever ends when. */
export const storedRunSchema = lazySchema(() =>
  z.object({
    id: scheduleRunIdSchema,
    occurrences: z.array(
      z.object({ scheduleId: z.string(), dueMs: z.int(), missed: z.boolean(), asked: z.boolean() }),
    ),
    /** The message, as it is sent however often it is tried. */
    text: z.string(),
    /** `null`: one is made. */
    conversationId: conversationIdSchema.nullable(),
    /** What is made where there is none; `own`: it is the schedule's from then on. */
    make: z.object({
      title: z.string(),
      model: z.string().nullable(),
      profile: z.string().nullable(),
      cwd: z.string().nullable(),
      tools: z.array(z.string()).nullable().default(null),
      isOwn: z.boolean(),
    }),
    /** What the turn runs with, in a conversation that was there before; `null`: its own. */
    model: z.string().nullable(),
    /** Chats that are told what it came to. */
    tells: z.array(z.string()).default([]),
    retries: z.int(),
    status: scheduleRunSchema.shape.status,
    turnId: turnIdSchema.nullable(),
    /** The number of the last event before the turn. */
    afterSeq: z.int().nonnegative(),
    attempts: z.int().nonnegative(),
    /** Not before: it is tried again. */
    notBeforeMs: z.int(),
    claimedMs: z.int(),
    endedMs: z.int().nullable(),
    reply: z.string().nullable(),
    quiet: z.boolean(),
    tokens: z.int().nonnegative(),
    usd: z.number().nonnegative().default(0),
    unpriced: z.int().nonnegative().default(0),
    error: failureSchema.nullable(),
  }),
);
export type StoredRun = z.infer<typeof storedRunSchema>;

/** The times of a job with `at` that was here, and is over. */
export const storedOverSchema = lazySchema(() => z.object({ times: z.string() }));

export const storedNothingSchema = lazySchema(() => z.object({}));

const prefixes = {
  schedule: "schedule/",
  due: "due/",
  run: "run/",
  open: "open/",
} as const;

/** What is stored where. */
export const keys = {
  prefixes,
  /** Where a list goes on behind a key: a space sorts before all that ids have. */
  behind: (key: string): string => `${key} `,
  schedule: (id: string): string => `${prefixes.schedule}${id}`,
  /** In the order of their times: the first one is the next one. */
  due: (atMs: number, id: string): string => `${prefixes.due}${timeText(atMs)}/${id}`,
  /** Behind all that are due then. */
  dueEnd: (atMs: number): string => `${prefixes.due}${timeText(atMs + 1)}`,
  dueMs: (key: string): number => Number(key.slice(prefixes.due.length, prefixes.due.length + timeDigits)),
  dueId: (key: string): string => key.slice(prefixes.due.length + timeDigits + 1),
  run: (id: string): string => `${prefixes.run}${id}`,
  /** A run that is not over. */
  open: (id: string): string => `${prefixes.open}${id}`,
  /** The runs of a schedule that are not over. */
  pending: (scheduleId: string): string => `pending/${scheduleId}/`,
  pendingRun: (scheduleId: string, runId: string): string => `pending/${scheduleId}/${runId}`,
  history: (scheduleId: string): string => `history/${scheduleId}/`,
  historyRun: (scheduleId: string, runId: string): string => `history/${scheduleId}/${runId}`,
  over: (scheduleId: string): string => `over/${scheduleId}`,
  /** The conversation of all runs of a schedule. */
  own: (scheduleId: string): string => `own/${scheduleId}`,
};

function timeText(atMs: number): string {
  return String(atMs).padStart(timeDigits, "0");
}
