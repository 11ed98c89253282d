import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { sha256Schema } from "../values/sha256.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { promptReasonSchema } from "./prompt-reason.ts";

/** The stored prompt of a conversation. */
export const conversationSystemPromptResponseSchema = lazySchema(() =>
  z.object({
    /** The prompt; `null` if none was constructed. */
    systemPrompt: z.string().nullable(),
    sha256: sha256Schema.nullable(),
    /** Why it was constructed; `null` if none was. */
    reason: promptReasonSchema.nullable(),
    /** Construction time; `null` if none was. */
    constructedAt: timestampSchema.nullable(),
    templateVersion: z.int().nullable(),
    /** Who requested the rebuild; `null` if none or unknown. */
    by: z.string().nullable(),
    /** Reason of the rebuild; `null` if none. */
    note: z.string().nullable(),
    /** Imported: constructed on another host, which also supplied its explanation. */
    isImported: z.literal(true).exactOptional(),
  }),
);
export type ConversationSystemPromptResponse = z.infer<typeof conversationSystemPromptResponseSchema>;
