import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { differenceReasonSchema, stepPrefixSchema } from "../calls/step-prefix.ts";
import { stepSchema } from "../calls/step.ts";
import { conversationSchema } from "../conversation/conversation.ts";
import { pageQuerySchema } from "../values/page-query.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** Input cost in US dollars at the prices of the time; output costs do not depend on the cache. */
const inputCostSchema = lazySchema(() =>
  z.object({
    /** Cost in US dollars with the vendor's actual cache usage. */
    billed: z.number(),
    /** `billed` is an upper bound because the vendor did not report cache reads. */
    isAtMost: z.literal(true).exactOptional(),
    /** Cost in US dollars without any cache. */
    withoutCache: z.number(),
    /** Estimate for an intact prefix, from the share of its bytes; `null` without a previous request. */
    unbroken: z.number().nullable(),
  }),
);

/** From 0 to 1; `null` without a previous request or measurement. */
const shareSchema = z.number().min(0).max(1).nullable();

/** A model call from the view of a vendor's prefix cache. */
export const auditedStepSchema = lazySchema(() =>
  stepSchema
    .pick({
      id: true,
      turnId: true,
      epoch: true,
      purpose: true,
      model: true,
      startedAt: true,
      usage: true,
      unaskedCalls: true,
    })
    .extend({
      /**
       * `first`: no previous request. `held`: begins with the whole previous request. `expected`: does not, because
       * of a compaction or a requested rebuild. `broken`: does not. `unsent`: nothing was sent.
       */
      verdict: z.enum(["first", "held", "expected", "broken", "unsent"]),
      /** Why the request does not start with the previous one; `null` if it does. */
      reason: differenceReasonSchema.nullable(),
      /**
       * Share of the previous request that this one begins with, from 0 to 1; `null` without a previous request or
       * measurement.
       */
      share: shareSchema,
      /** Comparison with the previous request, by bytes; `null` if not measured. */
      prefix: stepPrefixSchema.nullable(),
      /** Cost of the input in US dollars; `null` without a known price or reported usage. */
      inputUsd: inputCostSchema.nullable(),
      /** Cause of a cache break, with a remedy. */
      warning: z
        .object({
          /** Cause of the break. */
          message: z.string(),
          /** What to do. */
          hint: z.string(),
        })
        .nullable(),
    }),
);
export type AuditedStep = z.infer<typeof auditedStepSchema>;

/** Totals of one or more conversations. */
export const auditSummarySchema = lazySchema(() =>
  z.object({
    /** Steps that sent a request. */
    steps: z.int().nonnegative(),
    /** Steps that start with the whole previous request. */
    held: z.int().nonnegative(),
    /** Steps that do not start with it because of a compaction or a requested rebuild. */
    expected: z.int().nonnegative(),
    /** Steps with a cache break: they do not start with the previous request, without such a reason. */
    broken: z.int().nonnegative(),
    /** Steps by reason, including expected ones. */
    reasons: z.partialRecord(differenceReasonSchema, z.int().positive()),
    /** Sums over steps with a previous request. */
    previousBytes: z.int().nonnegative(),
    /** Bytes of those that the next request has at the same position. */
    sharedBytes: z.int().nonnegative(),
    /** `sharedBytes` / `previousBytes`; `null` if no step has a previous request. */
    share: shareSchema,
    /** As reported by vendors; `null` if none did. */
    tokens: z.object({
      /** Input tokens; `null` if not reported. */
      input: z.int().nonnegative().nullable(),
      /** Input read from a cache; `null` if not reported. */
      cacheRead: z.int().nonnegative().nullable(),
      /** Input written to a cache; `null` if not reported. */
      cacheWrite: z.int().nonnegative().nullable(),
    }),
    /** Steps without reported usage; not included in these sums. */
    unreportedSteps: z.int().nonnegative(),
    /** Cost of steps with a known price. `wasted`: extra cost of cache breaks. `null` without such steps. */
    inputUsd: z
      .object({
        /** Cost in US dollars with the vendors' actual cache usage. */
        billed: z.number(),
        /** `billed` is an upper bound, as for one of the steps. */
        isAtMost: z.literal(true).exactOptional(),
        /** Cost in US dollars without any cache. */
        withoutCache: z.number(),
        wasted: z.number(),
      })
      .nullable(),
    /** Steps included in `inputUsd`. */
    pricedSteps: z.int().nonnegative(),
    /** Time of the first step; `null` without steps. */
    firstStepAt: timestampSchema.nullable(),
    /** Time of the last step; `null` without steps. */
    lastStepAt: timestampSchema.nullable(),
  }),
);
export type AuditSummary = z.infer<typeof auditSummarySchema>;

/** Filters an audit of all conversations. */
export const auditQuerySchema = lazySchema(() =>
  pageQuerySchema.extend({
    /** Only conversations with a model call at or after this time. */
    since: timestampSchema.optional(),
    /** Only conversations with a step that has this reason. */
    reason: differenceReasonSchema.optional(),
    /** `true`: only conversations with a cache break. */
    onlyBroken: z.enum(["true", "false"]).default("false"),
  }),
);
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** A conversation with its audit totals. */
export const auditedConversationSchema = lazySchema(() =>
  conversationSchema
    .pick({ id: true, title: true, model: true, profile: true, archived: true, createdAt: true, updatedAt: true })
    .extend({
      /** Totals of its model calls. */
      summary: auditSummarySchema,
    }),
);
export type AuditedConversation = z.infer<typeof auditedConversationSchema>;
