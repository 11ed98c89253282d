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

const constructionParamsSchema = lazySchema(() => z.object({ id: conversationIdSchema, sha256: sha256Schema }));

const explainResponseSchema = lazySchema(() =>
  z.object({
    explain: explainSchema.nullable(),
    /** Tools of the epoch that requests omit because the model's vendor rejects them. */
    leftOutTools: z.array(leftOutToolSchema).default([]),
  }),
);
/** `null` if none was constructed. */
export const promptDriftResponseSchema = lazySchema(() => z.object({ drift: promptDriftSchema.nullable() }));

export const rebuildPromptResponseSchema = lazySchema(() =>
  z.object({
    outcome: rebuildOutcomeSchema,
    /** The stored prompt, which is sent from now on. */
    systemPrompt: conversationSystemPromptResponseSchema,
  }),
);

export const promptConstructionsResponseSchema = lazySchema(() =>
  z.object({
    constructions: z.array(promptConstructionSchema),
    nextCursor: z.string().optional(),
  }),
);
export const constructedTextResponseSchema = lazySchema(() =>
  z.object({ systemPrompt: z.string(), sha256: sha256Schema }),
);

/** Routes of a conversation's prompt. */
export const promptRoutes = {
  getConversationSystemPrompt: {
    method: "GET",
    path: "/conversations/:id/system-prompt",
    access: "read",
    params: conversationParamsSchema,
    summary: "The prompt that is kept and sent",
    status: 200,
    response: conversationSystemPromptResponseSchema,
  },
  explainConversation: {
    method: "GET",
    path: "/conversations/:id/explain",
    access: "read",
    params: conversationParamsSchema,
    summary: "Where each part of the kept prompt came from",
    status: 200,
    response: explainResponseSchema,
  },
  getDrift: {
    method: "GET",
    path: "/conversations/:id/drift",
    access: "read",
    params: conversationParamsSchema,
    summary: "What construction would give now against the kept prompt, why, and what a rebuild costs",
    status: 200,
    response: promptDriftResponseSchema,
  },
  rebuildPrompt: {
    method: "POST",
    path: "/conversations/:id/rebuild",
    access: "prompt",
    params: conversationParamsSchema,
    summary: "Build the prompt again, because a person asks for it; 409 while a turn runs",
    status: 200,
    body: rebuildPromptRequestSchema,
    response: rebuildPromptResponseSchema,
  },
  listConstructions: {
    method: "GET",
    path: "/conversations/:id/system-prompt/constructions",
    access: "read",
    params: conversationParamsSchema,
    summary: "Every prompt that it had, oldest first",
    status: 200,
    query: pageQuerySchema,
    response: promptConstructionsResponseSchema,
  },
  getConstructedText: {
    method: "GET",
    path: "/conversations/:id/system-prompt/constructions/:sha256",
    access: "read",
    params: constructionParamsSchema,
    summary: "The text of one of them",
    status: 200,
    response: constructedTextResponseSchema,
  },
} as const satisfies Record<string, Route>;
