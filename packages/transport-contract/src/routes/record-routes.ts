import {
  auditedConversationSchema,
  auditedStepSchema,
  auditQuerySchema,
  auditSummarySchema,
  conversationIdSchema,
  costSchema,
  costsQuerySchema,
  spendLimitsSchema,
  clientNameSchema,
  lazySchema,
  pageQuerySchema,
  replaySchema,
  stepIdSchema,
  stepRecordSchema,
  stepRequestResponseSchema,
  stepSchema,
} from "@incipit/schema";
import * as z from "zod";
import { conversationParamsSchema } from "./conversation-params.ts";
import type { Route } from "./route.ts";

const stepParamsSchema = lazySchema(() =>
  z.object({
    id: conversationIdSchema,
    /** Id of a model call. */
    stepId: z.string(),
  }),
);

export const stepsResponseSchema = lazySchema(() =>
  z.object({
    /** Model calls, oldest first. */
    steps: z.array(stepSchema),
    nextCursor: z.string().optional(),
  }),
);

/** Location of a step. */
const stepPlaceResponseSchema = lazySchema(() =>
  z.object({ conversationId: conversationIdSchema, stepId: stepIdSchema }),
);

/** A step of any conversation. */
const anyStepParamsSchema = lazySchema(() =>
  z.object({
    /** Id of a model call. */
    stepId: z.string(),
  }),
);

/** Routes of recorded requests and costs. */
export const recordRoutes = {
  /** Lists the model calls of a conversation, oldest first, with hashes, usage and outcome. */
  listSteps: {
    method: "GET",
    path: "/conversations/:id/steps",
    access: "records",
    params: conversationParamsSchema,
    summary: "The model calls of a conversation, oldest first",
    query: pageQuerySchema,
    response: stepsResponseSchema,
  },
  /**
   * Returns the request of a model call as sent, byte for byte except for secrets, unless it was deleted according
   * to the configuration.
   */
  getStepRequest: {
    method: "GET",
    path: "/conversations/:id/steps/:stepId/request",
    access: "records",
    params: stepParamsSchema,
    summary: "The exact request of a model call",
    response: stepRequestResponseSchema,
  },
  /**
   * Returns for each model call of a conversation whether its request starts with the previous one, as required by
   * vendors' caches, with the cause of a break and the cost.
   */
  auditConversation: {
    method: "GET",
    path: "/conversations/:id/audit",
    access: "records",
    params: conversationParamsSchema,
    summary: "The prefix audit of a conversation: each model call with verdict, cause of a cache break, and cost",
    query: pageQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Oldest first. */
        steps: z.array(auditedStepSchema),
        /** Totals of the whole conversation. */
        summary: auditSummarySchema,
        nextCursor: z.string().optional(),
      }),
    ),
  },
  /**
   * Lists conversations with the totals of their audits, newest first. A page may be shorter than `limit`, or
   * empty, although others follow.
   */
  auditConversations: {
    method: "GET",
    path: "/audit",
    access: "records",
    summary: "The conversations, newest first, with audit totals",
    query: auditQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Newest first, including archived ones; without conversations that have no model call. */
        conversations: z.array(auditedConversationSchema),
        /** Totals of this page; add up the pages for the whole. */
        totals: auditSummarySchema,
        nextCursor: z.string().optional(),
      }),
    ),
  },
  /**
   * Sums usage and cost by day, model and conversation, including calls without a conversation. Two pages may have
   * parts of the same sum: add them.
   */
  listCosts: {
    method: "GET",
    path: "/costs",
    summary: "The cost of model calls, by day, model and conversation",
    query: costsQuerySchema,
    response: lazySchema(() =>
      z.object({
        /** Add up entries of the same day, model and conversation from two pages. */
        costs: z.array(costSchema),
        /** Spending caps, and the day's spending. */
        limits: spendLimitsSchema,
        nextCursor: z.string().optional(),
      }),
    ),
    access: "records",
  },
  /** Returns the conversation of a recorded model call, by the id of the call. */
  findStep: {
    method: "GET",
    path: "/steps/:stepId",
    access: "records",
    params: anyStepParamsSchema,
    summary: "The conversation of a recorded step",
    response: stepPlaceResponseSchema,
  },
  /**
   * Returns everything stored of a model call: request, reply, prompt with explanation, audit. All texts are
   * redacted, so it can be shared.
   */
  getStepRecord: {
    method: "GET",
    path: "/conversations/:id/steps/:stepId/record",
    access: "records",
    params: stepParamsSchema,
    summary: "The record of a model call, with secrets redacted",
    response: stepRecordSchema,
  },
  /**
   * Sends the messages of a recorded model call to another model, and returns both answers. Runs no tools and does
   * not change the conversation.
   */
  replayStep: {
    method: "POST",
    path: "/conversations/:id/steps/:stepId/replay",
    access: "converse",
    alsoNeeds: "records",
    params: stepParamsSchema,
    summary: "Replay a step with another model, and compare the two answers",
    body: lazySchema(() =>
      z.strictObject({
        /** PROVIDER/MODEL. */
        model: clientNameSchema,
      }),
    ),
    response: lazySchema(() => z.object({ replay: replaySchema })),
  },
  /** Lists the replays of a model call, oldest first, with both answers. */
  listReplays: {
    method: "GET",
    path: "/conversations/:id/steps/:stepId/replays",
    access: "records",
    params: stepParamsSchema,
    summary: "The replays of a step, oldest first",
    response: lazySchema(() =>
      z.object({
        /** Replays, oldest first. */
        replays: z.array(replaySchema),
      }),
    ),
  },
} as const satisfies Record<string, Route>;
