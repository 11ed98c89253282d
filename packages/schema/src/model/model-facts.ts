import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { modelPricesSchema } from "./model-prices.ts";
import { reasoningEffortSchema } from "./turn-settings.ts";

/** Known properties of a model; `null` if unknown. */
export const modelFactsSchema = lazySchema(() =>
  z.object({
    /** Tokens per call, including the reply; `null` if unknown. */
    contextWindow: z.int().positive().nullable(),
    /** Maximum number of tokens of a reply; `null` if unknown. */
    maxOutputTokens: z.int().positive().nullable(),
    /** List prices; `null` if unknown. */
    prices: modelPricesSchema.nullable(),
    /** Accepted input types, always with text. */
    inputs: z.array(z.enum(["text", "image", "pdf", "audio", "video"])),
    /** Supported levels of effort, least first; empty if none, absent if unknown. */
    reasoningEfforts: z.array(reasoningEffortSchema).exactOptional(),
    /** Source of the data: a catalogue with its date, or the configuration. */
    source: z.string(),
  }),
);
export type ModelFacts = z.infer<typeof modelFactsSchema>;
