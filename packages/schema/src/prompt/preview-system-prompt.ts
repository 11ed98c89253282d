import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { clientNameSchema } from "../values/client-name.ts";
import { conversationIdSchema } from "../values/ids.ts";
import { explainSchema } from "./explain.ts";
import { systemModeSchema, systemTextsSchema } from "./system-texts.ts";

/** Previews the prompt of a conversation without storing it. */
export const previewSystemPromptRequestSchema = lazySchema(() =>
  z.strictObject({
    /** Template to preview. Defaults to the template in force. */
    template: z.string().optional(),
    /** Absolute folder of the template's variables. Defaults to the host's. */
    cwd: z.string().optional(),
    /** PROVIDER/MODEL. Defaults to that of the profile or host. */
    model: clientNameSchema.optional(),
    profile: clientNameSchema.optional(),
    /** Conversation to preview. Defaults to a new one. */
    conversationId: conversationIdSchema.optional(),
    system: systemTextsSchema.optional(),
    systemMode: systemModeSchema.optional(),
  }),
);
export type PreviewSystemPromptRequest = z.infer<typeof previewSystemPromptRequestSchema>;
export const previewSystemPromptResponseSchema = lazySchema(() =>
  z.object({
    /** The prompt; empty if there is none. */
    systemPrompt: z.string(),
    /** As sent: separate system messages where the vendor supports that. */
    systemTexts: z.array(z.string()),
    explain: explainSchema,
  }),
);
export type PreviewSystemPromptResponse = z.infer<typeof previewSystemPromptResponseSchema>;
