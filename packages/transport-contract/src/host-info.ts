import * as z from "zod";

export const healthResponseSchema = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  /** What needs an operator's eye, such as a data file that was set aside. */
  problems: z.array(z.string()),
});
export type HealthResponse = z.infer<typeof healthResponseSchema>;

export const modelSchema = z.object({
  /** PROVIDER/MODEL. */
  id: z.string(),
  provider: z.string(),
  isReady: z.boolean(),
  /** What is missing, such as a key, and what to do. */
  problem: z.string().nullable(),
  isDefault: z.boolean(),
});
export const modelsResponseSchema = z.object({ models: z.array(modelSchema) });
