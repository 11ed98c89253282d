import * as z from "zod";

export const healthResponseSchema = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  /** What needs an operator's eye, such as a data file that was set aside. */
  problems: z.array(z.string()),
});
export type HealthResponse = z.infer<typeof healthResponseSchema>;

const priceListSchema = z.object({
  input: z.number(),
  output: z.number(),
  /** Input that the vendor read from its cache, and that it wrote there. */
  cacheRead: z.number().nullable(),
  cacheWrite: z.number().nullable(),
});

/** US dollars for a million tokens; `null`: not known. List prices: without the discounts of batches and of quiet hours. */
export const modelPricesSchema = priceListSchema.extend({
  /** What all of a call costs whose input has more than `aboveTokens`; absent: no more than others. */
  longInput: priceListSchema.extend({ aboveTokens: z.int().positive() }).exactOptional(),
});
export type ModelPrices = z.infer<typeof modelPricesSchema>;

/** What is known of a model; `null`: not known. */
export const modelFactsSchema = z.object({
  /** Tokens of one call, its reply included. */
  contextWindow: z.int().positive().nullable(),
  maxOutputTokens: z.int().positive().nullable(),
  prices: modelPricesSchema.nullable(),
  /** What it takes in; text always. */
  inputs: z.array(z.enum(["text", "image", "pdf", "audio", "video"])),
  /** Where that is from: a catalogue with its date, or the configuration. */
  source: z.string(),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

export const modelSchema = z.object({
  /** PROVIDER/MODEL. */
  id: z.string(),
  provider: z.string(),
  isReady: z.boolean(),
  /** What is missing, such as a key, and what to do. */
  problem: z.string().nullable(),
  isDefault: z.boolean(),
  /** `null`: not in the catalogue, and nothing is configured of it. */
  facts: modelFactsSchema.nullable(),
});
export type Model = z.infer<typeof modelSchema>;
export const modelsResponseSchema = z.object({ models: z.array(modelSchema) });
