import * as z from "zod";
import { sha256Schema, timestampSchema } from "./ids.ts";
import { conversationSystemPromptResponseSchema } from "./system-prompt.ts";
import { promptReasonSchema } from "./turn-event.ts";

/** One line, so that it fits into a table and a log. */
const bySchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line without control characters");

/** A prompt that a conversation had, or has: the newest one is sent. */
export const promptConstructionSchema = z.object({
  /** Its text can be read by it. */
  sha256: sha256Schema,
  sizeBytes: z.int().nonnegative(),
  reason: promptReasonSchema,
  constructedAt: timestampSchema,
  templateVersion: z.int().nullable(),
  /** Who asked for it, and why; only of a rebuild. */
  by: z.string().nullable(),
  note: z.string().nullable(),
  /** It came with an export: nobody here constructed it, and what is told of how it came about is its sender's. */
  isImported: z.literal(true).exactOptional(),
});
export type PromptConstruction = z.infer<typeof promptConstructionSchema>;
export const promptConstructionsResponseSchema = z.object({
  constructions: z.array(promptConstructionSchema),
  nextCursor: z.string().optional(),
});
export const constructedTextResponseSchema = z.object({ systemPrompt: z.string(), sha256: sha256Schema });

export const rebuildPromptRequestSchema = z.strictObject({
  /** Who asks for it: any name. */
  by: bySchema.optional(),
  /** Why. */
  note: z.string().trim().min(1).max(2_000).optional(),
});
export type RebuildPromptRequest = z.infer<typeof rebuildPromptRequestSchema>;
export const rebuildOutcomeSchema = z.enum(["rebuilt", "nothing-changed"]);
export type RebuildOutcome = z.infer<typeof rebuildOutcomeSchema>;
export const rebuildPromptResponseSchema = z.object({
  /** `nothing-changed`: a new construction gives the kept text; nothing was stored. */
  outcome: rebuildOutcomeSchema,
  /** What is kept, and sent from here on. */
  systemPrompt: conversationSystemPromptResponseSchema,
});
