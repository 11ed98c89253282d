import * as z from "zod";
import { allowedToolsSchema } from "../conversation/allowed-tools.ts";
import { toldChatSchema } from "../values/told-chat.ts";
import { givenNameSchema } from "../values/given-name.ts";
import { conversationIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { scheduleRunSchema } from "./schedule-run.ts";
import { scheduleIdSchema } from "./schedule-id.ts";
import { maxTokensPerDaySchema, maxUsdPerDaySchema } from "../records/spent.ts";

const taskRule = "must have more than white space, and at most 100,000 characters";
const conversationRule = 'must be "own", "fresh" or the id of a conversation';
const toolsRule =
  "is for conversations that the schedule makes: a conversation that exists already has tools of its own";
const retriesRule = "must be a whole number from 0 to 10";

/** What becomes of times that came while nobody was there to run them. `once`: the last of them runs. */
const missedPolicySchema = z.enum(["skip", "once", "all"]);
export type MissedPolicy = z.infer<typeof missedPolicySchema>;

/** What a schedule is made of. Exactly one of `cron`, `every` and `at` is not `null`. */
const fields = {
  id: scheduleIdSchema,
  /** What the model is given, behind `[CRON:ID] `. */
  task: z
    .string()
    .max(100_000, taskRule)
    .refine((text) => text.trim() !== "", taskRule),
  /** Five fields (minute, hour, day of month, month, weekday), or `@daily` and such. */
  cron: z.string().nullable().default(null),
  /** A number with `s`, `m`, `h` or `d`, such as `15m`. */
  every: z.string().nullable().default(null),
  /** A date and a time, once: `2026-12-24T18:00`, in the time zone, or with an offset. */
  at: z.string().nullable().default(null),
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone: z.string().nullable().default(null),
  missed: missedPolicySchema.default("once"),
  /** `own`: one for all of its runs. `fresh`: a new one for each. */
  conversation: z
    .union([z.enum(["own", "fresh"]), z.uuidv7(conversationRule).brand<"ConversationId">()], conversationRule)
    .default("own"),
  /** What the conversations that it makes begin with, as `profile` and `cwd`; `null`: the host's. */
  model: givenNameSchema.nullable().default(null),
  profile: givenNameSchema.nullable().default(null),
  cwd: z.string().nullable().default(null),
  /** The tools that its conversations may use, by name, or by how names begin; `null`: all of them. */
  tools: allowedToolsSchema.nullable().default(null),
  /** The chat that is told what its runs came to, but for those where all is well: `CHANNEL:CHAT`; `null`: none. */
  tell: toldChatSchema.nullable().default(null),
  /** How often a run that failed is tried again. */
  retries: z.int(retriesRule).min(0, retriesRule).max(10, retriesRule).default(0),
  /** Input and output tokens of its runs of one day (as the configuration counts days), after which they are skipped; `null`: no bound. */
  maxTokensPerDay: maxTokensPerDaySchema.nullable().default(null),
  /** The same in US dollars, as far as prices are known. */
  maxUsdPerDay: maxUsdPerDaySchema.nullable().default(null),
};

/** Makes a schedule. */
export const createScheduleRequestSchema = lazySchema(() =>
  z
    .strictObject(fields)
    .refine(({ tools, conversation }) => tools === null || conversation === "own" || conversation === "fresh", {
      path: ["tools"],
      message: toolsRule,
    }),
);
export type CreateScheduleRequest = z.input<typeof createScheduleRequestSchema>;
export type ScheduleDefinition = z.output<typeof createScheduleRequestSchema>;

/** Stops a schedule for now, or lets it go on. What was due meanwhile is missed. */
export const updateScheduleRequestSchema = lazySchema(() => z.strictObject({ paused: z.boolean() }));
export type UpdateScheduleRequest = z.infer<typeof updateScheduleRequestSchema>;

/** A page of the schedules, by their ids. */
export const schedulesQuerySchema = lazySchema(() =>
  z.object({
    /** What the page before gave. */
    cursor: scheduleIdSchema.optional(),
    limit: z.coerce.number<number | string>().int().min(1).max(1_000).default(100),
  }),
);
export type SchedulesQuery = z.infer<typeof schedulesQuerySchema>;

/** A task that the host gives to a model at its time. */
export const scheduleSchema = lazySchema(() =>
  z.object({
    ...fields,
    /** Where it was made; one of the configuration is changed there. */
    source: z.enum(["configuration", "api"]),
    paused: z.boolean(),
    /** `null`: it is paused, or over. */
    nextAt: timestampSchema.nullable(),
    /** The one for all of its runs, once it is there. */
    conversationId: conversationIdSchema.nullable(),
    lastRun: scheduleRunSchema.nullable(),
    /** Input and output tokens of its runs of today. */
    tokensToday: z.int().nonnegative(),
    /** What they cost in US dollars, as far as prices are known. */
    usdToday: z.number().nonnegative(),
    /** Calls of them that are not in `usdToday`. */
    unpricedToday: z.int().nonnegative(),
    /** Why it cannot go on at the moment, and when it is tried again; `null`: nothing is wrong. */
    problem: z.string().nullable(),
  }),
);
export type Schedule = z.infer<typeof scheduleSchema>;
