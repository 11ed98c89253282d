import * as z from "zod";
import { timestampSchema } from "./ids.ts";

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

export const extensionSchema = z.object({
  id: z.string(),
  version: z.string(),
  phase: z.enum(["waiting", "starting", "active", "draining", "stopped", "failed"]),
  generation: z.int(),
  since: timestampSchema,
  provides: z.array(z.string()),
  waitsFor: z.array(z.string()),
  capabilities: z.array(z.string()),
  lastError: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type ExtensionInfo = z.infer<typeof extensionSchema>;
export const extensionsResponseSchema = z.object({ extensions: z.array(extensionSchema) });
export const extensionResponseSchema = z.object({ extension: extensionSchema });
