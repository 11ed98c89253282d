import * as z from "zod";
import { parseRequestJson } from "../wire/request-json.ts";
import type { PrefixPrompt, WireCall } from "../wire/simulated-cache.ts";

/** Base64 in either alphabet, as in the JSON of protocol buffers. */
const bytesSchema = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/);
const partSchema = z.strictObject({
  text: z.string().optional(),
  inlineData: z.strictObject({ mimeType: z.string().regex(/^[^/]+\/[^/]+$/), data: bytesSchema.min(1) }).optional(),
  fileData: z.strictObject({ mimeType: z.string(), fileUri: z.string() }).optional(),
  functionCall: z
    .strictObject({
      id: z.string().optional(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: z.record(z.string(), z.unknown()) })
    .optional(),
  thought: z.boolean().optional(),
  thoughtSignature: bytesSchema.optional(),
});
export type GeminiPart = z.infer<typeof partSchema>;

/** https://ai.google.dev/api/generate-content; unknown fields are rejected. */
export const geminiRequestSchema = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(partSchema).min(1) })).min(1),
  systemInstruction: z
    .strictObject({ role: z.string().optional(), parts: z.array(z.strictObject({ text: z.string() })).min(1) })
    .optional(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              description: z.string(),
              parametersJsonSchema: z.looseObject({ type: z.literal("object") }).optional(),
            }),
          )
          .min(1)
          .optional(),
      }),
    )
    .min(1)
    .optional(),
  toolConfig: z.looseObject({}).optional(),
  generationConfig: z.looseObject({}).optional(),
  safetySettings: z.array(z.looseObject({})).optional(),
  cachedContent: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  serviceTier: z.string().optional(),
});
export type GeminiRequest = z.infer<typeof geminiRequestSchema>;

/** The path has the model. `undefined` for an invalid body. */
export function geminiPrompt({ path, body }: WireCall): PrefixPrompt | undefined {
  const parsed = geminiRequestSchema.safeParse(parseRequestJson(body)?.value);
  if (!parsed.success) return undefined;
  const { tools = [], systemInstruction, contents } = parsed.data;
  const parts = [...tools, ...(systemInstruction === undefined ? [] : [systemInstruction])];
  // Singly, since a continued turn keeps its earlier parts.
  const said = contents.flatMap(({ role, parts: own }) => own.map((part) => ({ role, ...part })));
  return { key: path, parts: [...parts, ...said].map((part) => JSON.stringify(part)) };
}
