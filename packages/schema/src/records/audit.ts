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
    /** With the vendor's actual cache usage. */
    billed: z.number(),
    /** `billed` is an upper bound because the vendor did not report cache reads. */
    isAtMost: z.literal(true).exactOptional(),
    /** Without any cache. */
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
      reason: differenceReasonSchema.nullable(),
      /**
       * Share of the previous request that this one begins with, from 0 to 1; `null` without a previous request or
       * measurement.
       */
      share: shareSchema,
      prefix: stepPrefixSchema.nullable(),
      /** `null` without a known price or reported usage. */
      inputUsd: inputCostSchema.nullable(),
      /** Cause of a cache break, with a remedy. */
      warning: z.object({ message: z.string(), hint: z.string() }).nullable(),
    }),
);
export type AuditedStep = z.infer<typeof auditedStepSchema>;

/** Totals of one or more conversations. */
export const auditSummarySchema = lazySchema(() =>
  z.object({
    /** Steps that sent a request. */
    steps: z.int().nonnegative(),
    held: z.int().nonnegative(),
    expected: z.int().nonnegative(),
    broken: z.int().nonnegative(),
    /** Steps by reason, including expected ones. */
    reasons: z.partialRecord(differenceReasonSchema, z.int().positive()),
    /** Sums over steps with a previous request. */
    previousBytes: z.int().nonnegative(),
    sharedBytes: z.int().nonnegative(),
    /** `sharedBytes` / `previousBytes`; `null` if no step has a previous request. */
    share: shareSchema,
    /** As reported by vendors; `null` if none did. */
    tokens: z.object({
      input: z.int().nonnegative().nullable(),
      cacheRead: z.int().nonnegative().nullable(),
      cacheWrite: z.int().nonnegative().nullable(),
    }),
    /** Steps without reported usage; not included in these sums. */
    unreportedSteps: z.int().nonnegative(),
    /** Cost of steps with a known price. `wasted`: extra cost of cache breaks. `null` without such steps. */
    inputUsd: z
      .object({
        billed: z.number(),
        /** `billed` is an upper bound, as for one of the steps. */
        isAtMost: z.literal(true).exactOptional(),
        withoutCache: z.number(),
        wasted: z.number(),
      })
      .nullable(),
    pricedSteps: z.int().nonnegative(),
    firstStepAt: timestampSchema.nullable(),
    lastStepAt: timestampSchema.nullable(),
  }),
);
export type AuditSummary = z.infer<typeof auditSummarySchema>;

/** Filters an audit of all conversations. */
export const auditQuerySchema = lazySchema(() =>
  pageQuerySchema.extend({
    /** With a model call at or after this time. */
    since: timestampSchema.optional(),
    /** With a step that has this reason. */
    reason: differenceReasonSchema.optional(),
    /** With a cache break. */
    onlyBroken: z.enum(["true", "false"]).default("false"),
  }),
);
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** A conversation with its audit totals. */
export const auditedConversationSchema = lazySchema(() =>
  conversationSchema
    .pick({ id: true, title: true, model: true, profile: true, archived: true, createdAt: true, updatedAt: true })
    .extend({ summary: auditSummarySchema }),
);
export type AuditedConversation = z.infer<typeof auditedConversationSchema>;
