import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Reasoning effort, least first. `none` disables reasoning. */
export const reasoningEffortSchema = z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]);
export type ReasoningEffort = z.infer<typeof reasoningEffortSchema>;

/** Model settings of a conversation's turns. A vendor that does not support a setting ignores it. */
export const turnSettingsSchema = lazySchema(() =>
  z.strictObject({
    temperature: z.number().min(0).max(10).exactOptional(),
    topP: z.number().min(0).max(1).exactOptional(),
    presencePenalty: z.number().min(-10).max(10).exactOptional(),
    frequencyPenalty: z.number().min(-10).max(10).exactOptional(),
    seed: z.int().exactOptional(),
    /** Texts that end the reply. */
    stopSequences: z.array(z.string().min(1).max(200)).max(16).exactOptional(),
    maxOutputTokens: z.int().positive().exactOptional(),
    reasoningEffort: reasoningEffortSchema.exactOptional(),
  }),
);
export type TurnSettings = z.infer<typeof turnSettingsSchema>;
