import * as z from "zod";
import { conversationIdSchema } from "../values/ids.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { isTimeZone } from "../values/time-zone.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { spentSchema } from "./spent.ts";

/** Which model calls are added up, and in whose days. */
export const costsQuerySchema = lazySchema(() =>
  z.object({
    /** Those that began at that time or after it; absent: in the last 30 days. */
    since: timestampSchema.optional(),
    /** Those that began before that time. */
    until: timestampSchema.optional(),
    /** Where a day begins and ends: a name of the IANA database, such as `Europe/Berlin`. */
    zone: z
      .string()
      .max(100)
      .refine(isTimeZone, 'must be the name of a time zone, such as "Europe/Berlin"')
      .default("UTC"),
    cursor: z
      .string()
      .regex(
        /^(conversations|calls):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$|^calls$/,
        'must be the "nextCursor" of the page before',
      )
      .optional(),
  }),
);
export type CostsQuery = z.infer<typeof costsQuerySchema>;

/** What the calls of one model on one day come to, in one conversation, or of those that belong to none. */
export const costSchema = lazySchema(() =>
  z.object({
    /** `YYYY-MM-DD`. */
    day: z.string(),
    /** PROVIDER/MODEL. */
    model: z.string(),
    /** `null`: calls without a conversation. */
    conversation: z.object({ id: conversationIdSchema, title: z.string().nullable() }).nullable(),
    /** Those that sent something. */
    calls: z.int().positive(),
    /** Those of them that broke the prefix of the one before. */
    broken: z.int().nonnegative(),
    /** As the vendors reported them. */
    tokens: z.object({
      input: z.int().nonnegative(),
      /** A part of the input. */
      cacheRead: z.int().nonnegative(),
      output: z.int().nonnegative(),
    }),
    /** Calls of which the vendor reported no tokens: they are in none of these sums. */
    unreported: z.int().nonnegative(),
    /** Input and output, at the prices that were known when they were sent; `wasted`: what broken prefixes cost of it. */
    usd: z.object({
      total: z.number(),
      wasted: z.number(),
      /** `total` is an upper bound: of a call in it the vendor did not report what it read from its cache. */
      isAtMost: z.literal(true).exactOptional(),
    }),
    /** Calls of which no price is known, or too little was reported: they are in no sum of money. */
    unpriced: z.int().nonnegative(),
  }),
);
export type Cost = z.infer<typeof costSchema>;

/** The caps of `[limits]`, in US dollars, and what the day's cap is compared with. */
export const spendLimitsSchema = lazySchema(() =>
  z.object({
    /** `null`: no cap. */
    maxUsdPerConversation: z.number().nullable(),
    /** `null`: no cap. */
    maxUsdPerDay: z.number().nullable(),
    /** The local day of the host, `YYYY-MM-DD`. */
    today: z.string(),
    /** What the calls of that day have cost, those of deleted conversations among them. */
    spentToday: spentSchema,
  }),
);
export type SpendLimitsState = z.infer<typeof spendLimitsSchema>;
