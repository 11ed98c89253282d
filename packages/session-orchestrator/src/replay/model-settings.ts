import { lazySchema, type ModelSettings } from "@incipit/schema";
import * as z from "zod";

export const modelSettingsSchema: z.ZodType<ModelSettings> = lazySchema(() =>
  z.object({
    temperature: z.number().exactOptional(),
    topP: z.number().exactOptional(),
    presencePenalty: z.number().exactOptional(),
    frequencyPenalty: z.number().exactOptional(),
    seed: z.number().exactOptional(),
    stopSequences: z.array(z.string()).exactOptional(),
    maxOutputTokens: z.number().exactOptional(),
    reasoningEffort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).exactOptional(),
    toolChoice: z
      .union([
        z.enum(["auto", "none", "required"]),
        z.object({ name: z.string() }),
        z.object({ mode: z.enum(["auto", "required"]), allowed: z.array(z.string()) }),
      ])
      .exactOptional(),
    parallelToolCalls: z.literal(false).exactOptional(),
    responseFormat: z
      .object({
        type: z.literal("json"),
        name: z.string().exactOptional(),
        schema: z.record(z.string(), z.json()).exactOptional(),
        isStrict: z.boolean().exactOptional(),
      })
      .exactOptional(),
    vendorFields: z.record(z.string(), z.json()).exactOptional(),
  }),
);
