import * as z from "zod";
import { allowedToolsSchema } from "../conversation/allowed-tools.ts";
import { clientNameSchema } from "../values/client-name.ts";
import { conversationIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { scheduleRunSchema } from "./schedule-run.ts";
import { scheduleIdSchema } from "./schedule-id.ts";
import { maxTokensPerDaySchema, maxUsdPerDaySchema } from "../records/spent.ts";

const rule = 'must be a channel and the id of a chat on it, such as "telegram:123456789"';

/** A chat that receives notifications of autonomous runs: `CHANNEL:CHAT`. */
export const notifiedChatSchema = z.string().regex(/^[a-z][a-z0-9_-]{0,62}:\S{1,256}$/, rule);

const taskRule = "must have more than white space, and at most 100,000 characters";
const conversationRule = 'must be "own", "fresh" or the id of a conversation';
const toolsRule =
  "applies only to conversations that the schedule creates: an existing conversation has its own tools";
const retriesRule = "must be a whole number from 0 to 10";

/** Handling of occurrences missed while the host was not running. `once`: the last one runs. */
const missedPolicySchema = z.enum(["skip", "once", "all"]);

/** Definition of a schedule. Exactly one of `cron`, `every` and `at` is set. */
const fields = {
  id: scheduleIdSchema,
  /** Message to the model, prefixed with `[CRON:ID] `. */
  task: z
    .string()
    .max(100_000, taskRule)
    .refine((text) => text.trim() !== "", taskRule),
  /** Five fields (minute, hour, day of month, month, weekday), such as `0 9 * * 1-5`, or `@daily` and such. */
  cron: z.string().nullable().default(null),
  /** Interval from `1s` to `366d`, such as `15m`. */
  every: z.string().nullable().default(null),
  /** A single date and time: `2026-12-24T18:00` in the time zone, or with an offset. */
  at: z.string().nullable().default(null),
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone: z.string().nullable().default(null),
  /** Handling of occurrences missed while the host was not running. `once`: the last one. `all`: the last 24. */
  missed: missedPolicySchema.default("once"),
  /** `own`: one conversation for all runs. `fresh`: a new one for each run. Or the id of a conversation. */
  conversation: z
    .union([z.enum(["own", "fresh"]), z.uuidv7(conversationRule).brand<"ConversationId">()], conversationRule)
    .default("own"),
  /** PROVIDER/MODEL of conversations that it creates; `null`: the host's default. */
  model: clientNameSchema.nullable().default(null),
  /** Profile of conversations that it creates; `null`: none. */
  profile: clientNameSchema.nullable().default(null),
  /** Absolute working folder of conversations that it creates; `null`: the host's. */
  cwd: z.string().nullable().default(null),
  /** Names, or name prefixes, of tools available to its conversations; `null`: all. */
  tools: allowedToolsSchema.nullable().default(null),
  /** `CHANNEL:CHAT` that receives results, except quiet ones. */
  tell: notifiedChatSchema.nullable().default(null),
  /** Retries of a failed run, from 0 to 10: after 30 seconds, then twice as long each time. */
  retries: z.int(retriesRule).min(0, retriesRule).max(10, retriesRule).default(0),
  /** Daily budget of input and output tokens (days as configured); runs beyond it are skipped. */
  maxTokensPerDay: maxTokensPerDaySchema.nullable().default(null),
  /** Daily budget in US dollars, as far as prices are known. */
  maxUsdPerDay: maxUsdPerDaySchema.nullable().default(null),
};

/** Body of a request that creates a schedule. */
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

/** Pauses or resumes a schedule. Occurrences during a pause are missed. */
export const updateScheduleRequestSchema = lazySchema(() =>
  z.strictObject({
    /** `true`: occurrences are skipped. `false`: continues with the next one. */
    paused: z.boolean(),
  }),
);
export type UpdateScheduleRequest = z.infer<typeof updateScheduleRequestSchema>;

/** Pages through schedules, by id. */
export const schedulesQuerySchema = lazySchema(() =>
  z.object({
    /** The previous page's cursor. */
    cursor: scheduleIdSchema.optional(),
    limit: z.coerce.number<number | string>().int().min(1).max(1_000).default(100),
  }),
);
export type SchedulesQuery = z.infer<typeof schedulesQuerySchema>;

/** A scheduled task with its state and today's usage. */
export const scheduleSchema = lazySchema(() =>
  z.object({
    ...fields,
    /** Where it was defined; schedules of the configuration are changed there. */
    source: z.enum(["configuration", "api"]),
    paused: z.boolean(),
    /** Next occurrence; `null` if paused or finished. */
    nextAt: timestampSchema.nullable(),
    /** The conversation of all its runs, once created. */
    conversationId: conversationIdSchema.nullable(),
    /** The last run, if any. */
    lastRun: scheduleRunSchema.nullable(),
    /** Input and output tokens of today's runs. */
    tokensToday: z.int().nonnegative(),
    /** US dollars, as far as prices are known. */
    usdToday: z.number().nonnegative(),
    /** Calls not included in `usdToday`. */
    unpricedToday: z.int().nonnegative(),
    /** Why it is blocked, and when the host retries it. */
    problem: z.string().nullable(),
  }),
);
export type Schedule = z.infer<typeof scheduleSchema>;
