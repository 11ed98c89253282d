import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { modelPricesSchema } from "./model-prices.ts";
import { reasoningEffortSchema } from "./turn-settings.ts";

/** What is known of a model; `null`: not known. */
export const modelFactsSchema = lazySchema(() =>
  z.object({
    /** Tokens of one call, its reply included. */
    contextWindow: z.int().positive().nullable(),
    maxOutputTokens: z.int().positive().nullable(),
    prices: modelPricesSchema.nullable(),
    /** What it takes in; text always. */
    inputs: z.array(z.enum(["text", "image", "pdf", "audio", "video"])),
    /** The levels of effort that it has, least first; empty: it has none. Absent: not known. */
    reasoningEfforts: z.array(reasoningEffortSchema).exactOptional(),
    /** Where that is from: a catalogue with its date, or the configuration. */
    source: z.string(),
  }),
);
export type ModelFacts = z.infer<typeof modelFactsSchema>;
