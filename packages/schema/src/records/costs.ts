import * as z from "zod";
import { conversationIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { isTimeZone } from "../values/time-zone.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { spentSchema } from "./spent.ts";

/** Filter and time zone of a cost report. */
export const costsQuerySchema = lazySchema(() =>
  z.object({
    /** Calls started at or after this time. Defaults to the last 30 days. */
    since: timestampSchema.optional(),
    /** Calls started before this time. */
    until: timestampSchema.optional(),
    /** Time zone of the days: an IANA name, such as `Europe/Berlin`. */
    zone: z
      .string()
      .max(100)
      .refine(isTimeZone, 'must be the name of a time zone, such as "Europe/Berlin"')
      .default("UTC"),
    cursor: z
      .string()
      .regex(
        /^(conversations|calls):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$|^calls$/,
        'must be the "nextCursor" of the previous page',
      )
      .optional(),
  }),
);
export type CostsQuery = z.infer<typeof costsQuerySchema>;

/** Costs of one model on one day, in one conversation or outside of conversations. */
export const costSchema = lazySchema(() =>
  z.object({
    /** `YYYY-MM-DD`. */
    day: z.string(),
    /** PROVIDER/MODEL. */
    model: z.string(),
    /** `null` for stateless calls. */
    conversation: z
      .object({
        id: conversationIdSchema,
        /** Title of the conversation, if any. */
        title: z.string().nullable(),
      })
      .nullable(),
    /** Calls that sent a request. */
    calls: z.int().positive(),
    /** Calls with a cache break. */
    broken: z.int().nonnegative(),
    /** As reported by vendors. */
    tokens: z.object({
      /** Input tokens. */
      input: z.int().nonnegative(),
      /** Input read from a cache; included in `input`. */
      cacheRead: z.int().nonnegative(),
      /** Output tokens. */
      output: z.int().nonnegative(),
    }),
    /** Calls without reported usage; not included in these sums. */
    unreported: z.int().nonnegative(),
    /** Input and output at the prices of the time. `wasted`: extra cost of cache breaks. */
    usd: z.object({
      /** Cost of input and output, at the prices of the time. */
      total: z.number(),
      wasted: z.number(),
      /** `total` is an upper bound because the vendor did not report a call's cache reads. */
      isAtMost: z.literal(true).exactOptional(),
    }),
    /** Calls without a known price or sufficient usage; not included in `usd`. */
    unpriced: z.int().nonnegative(),
  }),
);
export type Cost = z.infer<typeof costSchema>;

/** Caps of `[limits]` in US dollars, and spending against the daily cap. */
export const spendLimitsSchema = lazySchema(() =>
  z.object({
    /** Cap of a conversation with its subtasks, in US dollars; `null`: none. */
    maxUsdPerConversation: z.number().nullable(),
    /** Cap of all model calls of a day, in US dollars; `null`: none. */
    maxUsdPerDay: z.number().nullable(),
    /** Local day of the host, `YYYY-MM-DD`. */
    today: z.string(),
    /** Cost of that day's calls, including those of deleted conversations. */
    spentToday: spentSchema,
  }),
);
export type SpendLimitsState = z.infer<typeof spendLimitsSchema>;
