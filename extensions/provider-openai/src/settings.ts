import { modelPricesSchema } from "@incipit/service-contract";
import * as z from "zod";

const configuredModelSchema = z.strictObject({
  contextWindow: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  prices: modelPricesSchema.optional(),
});

const endpointSchema = z.strictObject({
  kind: z.enum(["openai", "openai-compatible", "deepseek"]),
  /** Of kind `openai` alone: which of its two APIs. */
  api: z.enum(["responses", "chat"]).optional(),
  /** With its version, such as `https://api.openai.com/v1`; absent: the vendor's own. */
  baseUrl: z.url().optional(),
  /** The name of a variable, never the key. */
  apiKeyEnv: z.string().min(1).optional(),
  /** Tokens that its models take in one call; absent: not known. */
  contextWindow: z.int().positive().optional(),
  /** What the operator knows of single models, by the name behind the slash. */
  models: z.record(z.string(), configuredModelSchema).optional(),
});
export type Endpoint = z.infer<typeof endpointSchema>;

export const settingsSchema = z.strictObject({
  /** By the name before the slash in `model`. */
  providers: z.record(z.string(), endpointSchema).default({}),
});
