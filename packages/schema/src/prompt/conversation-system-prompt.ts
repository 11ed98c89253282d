import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { promptReasonSchema } from "./prompt-reason.ts";

/** The prompt that a conversation keeps and sends. */
export const conversationSystemPromptResponseSchema = lazySchema(() =>
  z.object({
    /** `null`: never constructed. */
    systemPrompt: z.string().nullable(),
    sha256: sha256Schema.nullable(),
    reason: promptReasonSchema.nullable(),
    constructedAt: timestampSchema.nullable(),
    templateVersion: z.int().nullable(),
    /** Who asked for it, and why; only of a rebuild. */
    by: z.string().nullable(),
    note: z.string().nullable(),
    /** It came with an export: nobody here constructed it, and what is told of how it came about is its sender's. */
    isImported: z.literal(true).exactOptional(),
  }),
);
export type ConversationSystemPromptResponse = z.infer<typeof conversationSystemPromptResponseSchema>;
