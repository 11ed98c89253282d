import { endpointShape } from "@incipit/model-endpoint";
import * as z from "zod";

const endpointSchema = z.strictObject({
  kind: z.enum(["openai", "openai-compatible", "deepseek"]),
  /** Which of OpenAI's two APIs, for kind `openai` alone; absent: `responses`. */
  api: z.enum(["responses", "chat"]).optional(),
  ...endpointShape,
});
export type ConfiguredEndpoint = z.infer<typeof endpointSchema>;

export const settingsSchema = z.strictObject({
  /** By the name before the slash in `model`. */
  providers: z.record(z.string(), endpointSchema).default({}),
});
