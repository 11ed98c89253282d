import { explainSchema, promptReasonSchema } from "@incipit/schema";
import * as z from "zod";

/** The prompt of one conversation as it was constructed: what is sent is this text, whatever is stored or set later. */
export const keptPromptSchema = z.object({
  text: z.string(),
  reason: promptReasonSchema,
  constructedAt: z.iso.datetime(),
  explain: explainSchema,
});
export type KeptPrompt = z.infer<typeof keptPromptSchema>;
