import { modelPricesSchema } from "@incipit/schema";
import * as z from "zod";

const configuredModelSchema = z.strictObject({
  contextWindow: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  prices: modelPricesSchema.optional(),
});

/** What the configuration says of any endpoint; providers spread it into the schema of their own settings. */
export const endpointShape = {
  /** With its version, such as `https://api.openai.com/v1`; absent: the vendor's own. */
  baseUrl: z.url().optional(),
  /** The name of a variable, never the key. */
  apiKeyEnv: z.string().min(1).optional(),
  /** Tokens that its models take in one call; absent: what is known of each. */
  contextWindow: z.int().positive().optional(),
  /** What the operator knows of single models, by the name behind the slash; wins over all else. */
  models: z.record(z.string(), configuredModelSchema).optional(),
} as const;

const endpointSchema = z.object(endpointShape);
export type Endpoint = z.infer<typeof endpointSchema>;
