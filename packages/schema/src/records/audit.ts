import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { differenceReasonSchema, stepPrefixSchema } from "../calls/step-prefix.ts";
import { stepSchema } from "../calls/step.ts";
import { conversationSchema } from "../conversation/conversation.ts";
import { pageQuerySchema } from "../values/page-query.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** US dollars, by the prices that were known at the time, of what went into a model; what it wrote costs the same either way. */
const inputCostSchema = lazySchema(() =>
  z.object({
    /** With the vendor's cache as it was. */
    billed: z.number(),
    /** `billed` is an upper bound: the vendor did not report what it read from its cache. */
    isAtMost: z.literal(true).exactOptional(),
    /** As if there were no cache. */
    withoutCache: z.number(),
    /**
     * As if the request had begun with all of the one before: an estimate, by the share of its bytes. `null`: there is
     * nothing to compare with.
     */
    unbroken: z.number().nullable(),
  }),
);

/** From 0 to 1; `null`: there is nothing to compare with, or it was not measured. */
const shareSchema = z.number().min(0).max(1).nullable();

/** A model call, as a vendor's prefix cache sees it. */
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
       * `first`: there is no request before it. `held`: it begins with all of that one. `expected`: it does not, by a
       * compaction or a rebuild that somebody asked for. `broken`: it does not. `unsent`: nothing left the host.
       */
      verdict: z.enum(["first", "held", "expected", "broken", "unsent"]),
      reason: differenceReasonSchema.nullable(),
      /** How much of the request before stands at the beginning of this one, from 0 to 1; `null`: none before, or not measured. */
      share: shareSchema,
      prefix: stepPrefixSchema.nullable(),
      /** `null`: no price is known, or the vendor counted nothing. */
      inputUsd: inputCostSchema.nullable(),
      /** What broke it, and what to do; `null`: nothing is wrong. */
      warning: z.object({ message: z.string(), hint: z.string() }).nullable(),
    }),
);
export type AuditedStep = z.infer<typeof auditedStepSchema>;

/** The model calls of one conversation, or of several, added up. */
export const auditSummarySchema = lazySchema(() =>
  z.object({
    /** Those that sent something. */
    steps: z.int().nonnegative(),
    held: z.int().nonnegative(),
    expected: z.int().nonnegative(),
    broken: z.int().nonnegative(),
    /** How many steps had which reason, those that were expected among them. */
    reasons: z.partialRecord(differenceReasonSchema, z.int().positive()),
    /** Over the steps that have one before them. */
    previousBytes: z.int().nonnegative(),
    sharedBytes: z.int().nonnegative(),
    /** `sharedBytes` / `previousBytes`; `null`: no step has one before it. */
    share: shareSchema,
    /** As vendors reported them; `null`: none did. */
    tokens: z.object({
      input: z.int().nonnegative().nullable(),
      cacheRead: z.int().nonnegative().nullable(),
      cacheWrite: z.int().nonnegative().nullable(),
    }),
    /** Steps of which no vendor reported the tokens: they are in none of these sums. */
    unreportedSteps: z.int().nonnegative(),
    /** The cost of the steps with a known price; `wasted`: what broken ones cost more than unbroken. `null`: there are none. */
    inputUsd: z
      .object({
        billed: z.number(),
        /** `billed` is an upper bound, as that of one of the steps. */
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

/** Which conversations an audit of all of them shows. */
export const auditQuerySchema = lazySchema(() =>
  pageQuerySchema.extend({
    /** Those with a model call at that time or after it. */
    since: timestampSchema.optional(),
    /** Those with a step that has this reason. */
    reason: differenceReasonSchema.optional(),
    /** Those with a broken step. */
    onlyBroken: z.enum(["true", "false"]).default("false"),
  }),
);
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** A conversation with the sum of its audit. */
export const auditedConversationSchema = lazySchema(() =>
  conversationSchema
    .pick({ id: true, title: true, model: true, profile: true, archived: true, createdAt: true, updatedAt: true })
    .extend({ summary: auditSummarySchema }),
);
export type AuditedConversation = z.infer<typeof auditedConversationSchema>;
