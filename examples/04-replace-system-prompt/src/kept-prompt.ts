import { explainSchema, promptReasonSchema } from "@incipit/schema";
import * as z from "zod";

/** A conversation's prompt as constructed: exactly this text is sent, regardless of later changes. */
export const keptPromptSchema = z.object({
  text: z.string(),
  reason: promptReasonSchema,
  constructedAt: z.iso.datetime(),
  explain: explainSchema,
});
export type KeptPrompt = z.infer<typeof keptPromptSchema>;
