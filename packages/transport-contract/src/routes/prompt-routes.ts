import {
  conversationIdSchema,
  conversationSystemPromptResponseSchema,
  explainSchema,
  lazySchema,
  leftOutToolSchema,
  pageQuerySchema,
  promptConstructionSchema,
  promptDriftSchema,
  rebuildOutcomeSchema,
  rebuildPromptRequestSchema,
  sha256Schema,
} from "@incipit/schema";
import * as z from "zod";
import { conversationParamsSchema } from "./conversation-params.ts";
import type { Route } from "./route.ts";

/** `null` if none was constructed. */
const promptDriftResponseSchema = lazySchema(() =>
  z.object({
    /** Difference from a new construction; `null` if no prompt was constructed. */
    drift: promptDriftSchema.nullable(),
  }),
);

export const promptConstructionsResponseSchema = lazySchema(() =>
  z.object({
    /** Prompts of the conversation, oldest first; the last one is in use. */
    constructions: z.array(promptConstructionSchema),
    nextCursor: z.string().optional(),
  }),
);

/** Routes of a conversation's prompt. */
export const promptRoutes = {
  /** Returns the stored prompt of a conversation, with time and reason of its construction. */
  getConversationSystemPrompt: {
    method: "GET",
    path: "/conversations/:id/system-prompt",
    access: "read",
    params: conversationParamsSchema,
    summary: "The system prompt of a conversation",
    response: conversationSystemPromptResponseSchema,
  },
  /**
   * Explains the origin of each part of the stored prompt: tiers, variables with values, and ranges of text.
   * Includes the tools that the model's vendor rejects.
   */
  explainConversation: {
    method: "GET",
    path: "/conversations/:id/explain",
    access: "read",
    params: conversationParamsSchema,
    summary: "The origin of each part of the system prompt",
    response: lazySchema(() =>
      z.object({
        /** Explanation of the stored prompt; `null` if none was constructed. */
        explain: explainSchema.nullable(),
        /** Tools of the epoch that requests omit because the model's vendor rejects them. */
        leftOutTools: z.array(leftOutToolSchema).default([]),
      }),
    ),
  },
  /** Compares the stored prompt with a new construction, with causes and the cost of a rebuild. Stores nothing. */
  getDrift: {
    method: "GET",
    path: "/conversations/:id/drift",
    access: "read",
    params: conversationParamsSchema,
    summary: "The drift of the prompt: what a rebuild would change, why, and its cost",
    response: promptDriftResponseSchema,
  },
  /**
   * Constructs the prompt of a conversation again on request, and records who requested it and why. The next
   * request cannot use the vendor's cache after the first change.
   */
  rebuildPrompt: {
    method: "POST",
    path: "/conversations/:id/rebuild",
    access: "prompt",
    params: conversationParamsSchema,
    summary: "Rebuild the prompt on request; 409 while a turn runs",
    body: rebuildPromptRequestSchema,
    response: lazySchema(() =>
      z.object({
        outcome: rebuildOutcomeSchema,
        /** The stored prompt, which is sent from now on. */
        systemPrompt: conversationSystemPromptResponseSchema,
      }),
    ),
  },
  /** Lists all prompts of a conversation, oldest first, with times and reasons. */
  listConstructions: {
    method: "GET",
    path: "/conversations/:id/system-prompt/constructions",
    access: "read",
    params: conversationParamsSchema,
    summary: "All prompts of a conversation, oldest first",
    query: pageQuerySchema,
    response: promptConstructionsResponseSchema,
  },
  /** Returns the text of a prompt of the conversation, by its hash in the list. */
  getConstructedText: {
    method: "GET",
    path: "/conversations/:id/system-prompt/constructions/:sha256",
    access: "read",
    params: lazySchema(() => z.object({ id: conversationIdSchema, sha256: sha256Schema })),
    summary: "The text of one prompt",
    response: lazySchema(() =>
      z.object({
        /** Text of the prompt. */
        systemPrompt: z.string(),
        sha256: sha256Schema,
      }),
    ),
  },
} as const satisfies Record<string, Route>;
